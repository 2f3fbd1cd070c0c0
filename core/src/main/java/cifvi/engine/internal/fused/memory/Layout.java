package cifvi.engine.internal.fused.memory;

import java.util.ArrayList;
import java.util.List;

/** Hands out the places of a {@link Tape} while a schedule is compiled. */
public final class Layout {
  /**
   * A variable of the schedule with {@code size} columns.
   *
   * @param at where {@link Tape#values} has it
   * @param gradient where {@link Tape#gradients} has the gradient of the loss in it
   */
  public record Var(int at, int gradient, int size) {}

  /** What is done with the parameters at the beginning of every step. */
  public final List<Runnable> preparations = new ArrayList<>();

  // What a tape needs, in numbers.
  int values;
  int gradients;
  int scratch;

  public Var variable(int size) {
    var variable = new Var(rows(size), gradients, size);
    gradients += size * Tape.STRIDE;
    return variable;
  }

  /** Columns that keep something from the forward pass to the backward pass. */
  public int rows(int columns) {
    int at = values;
    values += columns * Tape.STRIDE;
    return at;
  }

  /** The scratch memory of one kernel; all kernels use the same. */
  public Scratch kernelScratch() {
    return new Scratch();
  }

  /** Does something with the parameters at the beginning of every step. */
  public void prepare(Runnable preparation) {
    preparations.add(preparation);
  }

  /** A cursor through the scratch memory. */
  public final class Scratch {
    private int next;

    public int rows(int columns) {
      int at = next;
      next += columns * Tape.STRIDE;
      scratch = Math.max(scratch, next);
      return at;
    }

    /** Places that do not go by rows. */
    public int numbers(int count) {
      return rows(Math.ceilDiv(count, Tape.STRIDE));
    }

    /** A cursor from here on: what it hands out is not used while others hand out the same. */
    public Scratch branch() {
      var branch = new Scratch();
      branch.next = next;
      return branch;
    }
  }
}
