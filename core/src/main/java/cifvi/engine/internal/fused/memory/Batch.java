package cifvi.engine.internal.fused.memory;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.nn.FlatParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
  public void read(Side side, int at, int columns, Tensor to) {
    move(
        side,
        at,
        columns,
        to,
        (tape, place, tensor, index) ->
            tensor.setAtIndex(ValueLayout.JAVA_FLOAT, index, tape[place]));
  }

  /** From a tensor to the tapes; rows that do not exist become zero. */
  public void write(Tensor from, Side side, int at) {
    int columns = Math.toIntExact(from.size(1));
    move(
        side,
        at,
        columns,
        from,
        (tape, place, tensor, index) ->
            tape[place] = tensor.getAtIndex(ValueLayout.JAVA_FLOAT, index));
    for (Tape tape : tapes) {
      for (int c = 0; c < columns; c++) {
        int column = at + c * STRIDE;
        Arrays.fill(side.of(tape), column + tape.rows, column + tape.padded, 0);
      }
    }
  }

  /** Adds a tensor to what the tapes hold. */
  public void add(Tensor from, Side side, int at) {
    move(
        side,
        at,
        Math.toIntExact(from.size(1)),
        from,
        (tape, place, tensor, index) ->
            tape[place] += tensor.getAtIndex(ValueLayout.JAVA_FLOAT, index));
  }

  private void move(Side side, int at, int columns, Tensor tensor, Move move) {
    MemorySegment memory = FlatParameters.memory(tensor);
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
