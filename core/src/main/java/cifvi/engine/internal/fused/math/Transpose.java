package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/**
 * Columns of a block, transposed so that the lanes run over columns instead of rows.
 *
 * <p>The result is cut into panels of {@value #PANEL} columns, in each of which row s begins at s·
 * {@value #PANEL}; columns that do not exist are zero.
 */
public final class Transpose {
  public static final int PANEL = 16;

  private static final VectorShuffle<Float> SWAP_1 = swap(1);
  private static final VectorShuffle<Float> SWAP_2 = swap(2);
  private static final VectorShuffle<Float> SWAP_4 = swap(4);
  private static final VectorMask<Float> BIT_1 = bit(1);
  private static final VectorMask<Float> BIT_2 = bit(2);
  private static final VectorMask<Float> BIT_4 = bit(4);

  private Transpose() {}

  private static VectorShuffle<Float> swap(int distance) {
    return VectorShuffle.fromOp(SPECIES, lane -> lane ^ distance);
  }

  private static VectorMask<Float> bit(int distance) {
    return VectorMask.fromLong(SPECIES, distance == 1 ? 0xAA : distance == 2 ? 0xCC : 0xF0);
  }

  /** Number of scratch columns that {@code columns} columns need. */
  public static int size(int columns) {
    return (columns + PANEL - 1) / PANEL * PANEL;
  }

  static void run(float[] x, int xAt, int columns, float[] out, int at, int rows) {
    for (int c = 0; c < size(columns); c += COUNT) {
      int panel = at + c / PANEL * PANEL * STRIDE + c % PANEL;
      if (c + COUNT <= columns) {
        for (int s = 0; s < rows; s += COUNT) {
          tile(x, xAt + c * STRIDE + s, out, panel + s * PANEL);
        }
      } else {
        partial(x, xAt + c * STRIDE, columns - c, out, panel, rows);
      }
    }
  }

  /** Eight by eight: swaps halves, then quarters, then eighths of pairs of rows. */
  private static void tile(float[] x, int at, float[] out, int to) {
    FloatVector a0 = fromArray(SPECIES, x, at);
    FloatVector a1 = fromArray(SPECIES, x, at + STRIDE);
    FloatVector a2 = fromArray(SPECIES, x, at + 2 * STRIDE);
    FloatVector a3 = fromArray(SPECIES, x, at + 3 * STRIDE);
    FloatVector a4 = fromArray(SPECIES, x, at + 4 * STRIDE);
    FloatVector a5 = fromArray(SPECIES, x, at + 5 * STRIDE);
    FloatVector a6 = fromArray(SPECIES, x, at + 6 * STRIDE);
    FloatVector a7 = fromArray(SPECIES, x, at + 7 * STRIDE);
    FloatVector b0 = low(a0, a4, SWAP_4, BIT_4);
    FloatVector b4 = high(a0, a4, SWAP_4, BIT_4);
    FloatVector b1 = low(a1, a5, SWAP_4, BIT_4);
    FloatVector b5 = high(a1, a5, SWAP_4, BIT_4);
    FloatVector b2 = low(a2, a6, SWAP_4, BIT_4);
    FloatVector b6 = high(a2, a6, SWAP_4, BIT_4);
    FloatVector b3 = low(a3, a7, SWAP_4, BIT_4);
    FloatVector b7 = high(a3, a7, SWAP_4, BIT_4);
    quarter(b0, b1, b2, b3, out, to);
    quarter(b4, b5, b6, b7, out, to + 4 * PANEL);
  }

  private static void quarter(
      FloatVector b0, FloatVector b1, FloatVector b2, FloatVector b3, float[] out, int to) {
    FloatVector c0 = low(b0, b2, SWAP_2, BIT_2);
    FloatVector c2 = high(b0, b2, SWAP_2, BIT_2);
    FloatVector c1 = low(b1, b3, SWAP_2, BIT_2);
    FloatVector c3 = high(b1, b3, SWAP_2, BIT_2);
    low(c0, c1, SWAP_1, BIT_1).intoArray(out, to);
    high(c0, c1, SWAP_1, BIT_1).intoArray(out, to + PANEL);
    low(c2, c3, SWAP_1, BIT_1).intoArray(out, to + 2 * PANEL);
    high(c2, c3, SWAP_1, BIT_1).intoArray(out, to + 3 * PANEL);
  }

  private static FloatVector low(
      FloatVector a, FloatVector b, VectorShuffle<Float> swap, VectorMask<Float> bit) {
    return a.blend(b.rearrange(swap), bit);
  }

  private static FloatVector high(
      FloatVector a, FloatVector b, VectorShuffle<Float> swap, VectorMask<Float> bit) {
    return a.rearrange(swap).blend(b, bit);
  }

  private static void partial(float[] x, int xAt, int columns, float[] out, int at, int rows) {
    for (int s = 0; s < rows; s++) {
      for (int c = 0; c < COUNT; c++) {
        out[at + s * PANEL + c] = c < columns ? x[xAt + c * STRIDE + s] : 0;
      }
    }
  }
}
