package cifvi.engine.internal.fused.memory;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import cifvi.nn.FlatParameters;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * The blocks of one batch in the order of its rows, seen as tensors {@code [rows, columns]}, which
 * are row-major where tapes are column-major.
 */
public record Batch(List<Tape> tapes, int rows) {
  /** An array of a tape. */
  public interface Side {
    float[] of(Tape tape);
  }

  /** What is done with a number of a tensor and its place in a tape. */
  private interface Move {
    void run(float[] tape, int at, MemorySegment tensor, long index);
  }

  /** Of every row. */
  public double[] logWeights() {
    double[] all = new double[rows];
    for (Tape tape : tapes) {
      System.arraycopy(tape.logWeight, 0, all, tape.firstRow(), tape.rows);
    }
    return all;
  }

  /** From the tapes to a tensor. */
  public void read(Side side, int at, Tensor to) {
    move(side, at, to, (tape, i, tensor, index) -> tensor.setAtIndex(JAVA_FLOAT, index, tape[i]));
  }

  /** From a tensor to the tapes; rows that do not exist become zero. */
  public void write(Tensor from, Side side, int at) {
    move(
        side, at, from, (tape, i, tensor, index) -> tape[i] = tensor.getAtIndex(JAVA_FLOAT, index));
    for (Tape tape : tapes) {
      for (int column = at; column < at + from.size(1) * STRIDE; column += STRIDE) {
        Arrays.fill(side.of(tape), column + tape.rows, column + tape.padded, 0);
      }
    }
  }

  /** Adds a tensor to what the tapes hold. */
  public void add(Tensor from, Side side, int at) {
    move(
        side,
        at,
        from,
        (tape, i, tensor, index) -> tape[i] += tensor.getAtIndex(JAVA_FLOAT, index));
  }

  private void move(Side side, int at, Tensor tensor, Move move) {
    MemorySegment memory = FlatParameters.memory(tensor);
    int columns = Math.toIntExact(tensor.size(1));
    long index = 0;
    for (Tape tape : tapes) {
      float[] values = side.of(tape);
      for (int i = 0; i < tape.rows; i++) {
        for (int c = 0; c < columns; c++) {
          move.run(values, at + c * STRIDE + i, memory, index++);
        }
      }
    }
  }
}
