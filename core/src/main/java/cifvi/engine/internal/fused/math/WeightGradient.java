package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.math.Transpose.PANEL;
import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Lanes.sum;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Tape;
import jdk.incubator.vector.FloatVector;

/**
 * ∂/∂w_ji += Σ_s dy_j(s) x_i(s), the sum being over the rows of a block.
 *
 * <p>With many outputs x is {@link Transpose}d, so that the lanes run over inputs and no sum over
 * lanes is needed; with few, the sums over lanes cost less than the transposition.
 */
public final class WeightGradient {
  /** From this many outputs on, transposing the inputs is worth it. */
  private static final int MANY_OUTPUTS = 13;

  private WeightGradient() {}

  /**
   * The bands of a matrix with {@code inputs} columns. Entries beside the bands may have anything
   * added, up to {@value Transpose#PANEL} numbers behind the matrix zero.
   *
   * @param g what is added to, at {@code at + j * inputs + i}
   * @param scratch place for {@link Transpose#size} columns
   */
  public static void add(
      Tape tape,
      float[] g,
      int at,
      int inputs,
      Band[] bands,
      float[] x,
      int xAt,
      float[] dy,
      int dyAt,
      int scratch) {
    boolean transposed = outputs(bands) >= MANY_OUTPUTS && inputs >= COUNT;
    if (transposed) {
      Transpose.run(x, xAt, inputs, tape.scratch, scratch, tape.padded);
    }
    for (Band band : bands) {
      if (transposed && band.last() - band.first() >= COUNT) {
        panels(tape, g, at, inputs, band, scratch, dy, dyAt);
      } else {
        dots(tape, g, at, inputs, band, x, xAt, dy, dyAt);
      }
    }
  }

  private static int outputs(Band[] bands) {
    int outputs = 0;
    for (Band band : bands) {
      outputs += band.to() - band.from();
    }
    return outputs;
  }

  private static void panels(
      Tape tape, float[] g, int at, int ld, Band band, int scratch, float[] dy, int dyAt) {
    float[] x = tape.scratch;
    for (int i = band.first() / PANEL * PANEL; i < band.last(); i += PANEL) {
      int panel = scratch + i * STRIDE;
      int j = band.from();
      for (; j + 4 <= band.to(); j += 4) {
        four(g, at + j * ld + i, ld, x, panel, dy, dyAt + j * STRIDE, tape.padded);
      }
      for (; j < band.to(); j++) {
        one(g, at + j * ld + i, x, panel, dy, dyAt + j * STRIDE, tape.padded);
      }
    }
  }

  private static void four(
      float[] g, int g0, int ld, float[] x, int panel, float[] dy, int y0, int rows) {
    int g1 = g0 + ld;
    int g2 = g1 + ld;
    int g3 = g2 + ld;
    int y1 = y0 + STRIDE;
    int y2 = y1 + STRIDE;
    int y3 = y2 + STRIDE;
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    FloatVector b0 = broadcast(SPECIES, 0);
    FloatVector b1 = broadcast(SPECIES, 0);
    FloatVector c0 = broadcast(SPECIES, 0);
    FloatVector c1 = broadcast(SPECIES, 0);
    FloatVector d0 = broadcast(SPECIES, 0);
    FloatVector d1 = broadcast(SPECIES, 0);
    for (int s = 0; s < rows; s++) {
      FloatVector x0 = fromArray(SPECIES, x, panel + s * PANEL);
      FloatVector x1 = fromArray(SPECIES, x, panel + s * PANEL + COUNT);
      FloatVector v = broadcast(SPECIES, dy[y0 + s]);
      a0 = v.fma(x0, a0);
      a1 = v.fma(x1, a1);
      v = broadcast(SPECIES, dy[y1 + s]);
      b0 = v.fma(x0, b0);
      b1 = v.fma(x1, b1);
      v = broadcast(SPECIES, dy[y2 + s]);
      c0 = v.fma(x0, c0);
      c1 = v.fma(x1, c1);
      v = broadcast(SPECIES, dy[y3 + s]);
      d0 = v.fma(x0, d0);
      d1 = v.fma(x1, d1);
    }
    a0.add(fromArray(SPECIES, g, g0)).intoArray(g, g0);
    a1.add(fromArray(SPECIES, g, g0 + COUNT)).intoArray(g, g0 + COUNT);
    b0.add(fromArray(SPECIES, g, g1)).intoArray(g, g1);
    b1.add(fromArray(SPECIES, g, g1 + COUNT)).intoArray(g, g1 + COUNT);
    c0.add(fromArray(SPECIES, g, g2)).intoArray(g, g2);
    c1.add(fromArray(SPECIES, g, g2 + COUNT)).intoArray(g, g2 + COUNT);
    d0.add(fromArray(SPECIES, g, g3)).intoArray(g, g3);
    d1.add(fromArray(SPECIES, g, g3 + COUNT)).intoArray(g, g3 + COUNT);
  }

  private static void one(float[] g, int at, float[] x, int panel, float[] dy, int dyAt, int rows) {
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    for (int s = 0; s < rows; s++) {
      FloatVector v = broadcast(SPECIES, dy[dyAt + s]);
      a0 = v.fma(fromArray(SPECIES, x, panel + s * PANEL), a0);
      a1 = v.fma(fromArray(SPECIES, x, panel + s * PANEL + COUNT), a1);
    }
    a0.add(fromArray(SPECIES, g, at)).intoArray(g, at);
    a1.add(fromArray(SPECIES, g, at + COUNT)).intoArray(g, at + COUNT);
  }

  private static void dots(
      Tape tape, float[] g, int at, int ld, Band band, float[] x, int xAt, float[] dy, int dyAt) {
    for (int i = band.first(); i < band.last(); i++) {
      int j = band.from();
      for (; j + 4 <= band.to(); j += 4) {
        fourDots(tape, g, at + j * ld + i, ld, x, xAt + i * STRIDE, dy, dyAt + j * STRIDE);
      }
      for (; j < band.to(); j++) {
        dot(tape, g, at + j * ld + i, x, xAt + i * STRIDE, dy, dyAt + j * STRIDE);
      }
    }
  }

  private static void fourDots(
      Tape tape, float[] g, int at, int ld, float[] x, int xAt, float[] dy, int y0) {
    FloatVector a = broadcast(SPECIES, 0);
    FloatVector b = broadcast(SPECIES, 0);
    FloatVector c = broadcast(SPECIES, 0);
    FloatVector d = broadcast(SPECIES, 0);
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector v = fromArray(SPECIES, x, xAt + s);
      a = v.fma(fromArray(SPECIES, dy, y0 + s), a);
      b = v.fma(fromArray(SPECIES, dy, y0 + STRIDE + s), b);
      c = v.fma(fromArray(SPECIES, dy, y0 + 2 * STRIDE + s), c);
      d = v.fma(fromArray(SPECIES, dy, y0 + 3 * STRIDE + s), d);
    }
    float[] lanes = tape.lanes;
    a.intoArray(lanes, 0);
    b.intoArray(lanes, COUNT);
    c.intoArray(lanes, 2 * COUNT);
    d.intoArray(lanes, 3 * COUNT);
    g[at] += sum(lanes, 0);
    g[at + ld] += sum(lanes, COUNT);
    g[at + 2 * ld] += sum(lanes, 2 * COUNT);
    g[at + 3 * ld] += sum(lanes, 3 * COUNT);
  }

  private static void dot(Tape tape, float[] g, int at, float[] x, int xAt, float[] dy, int dyAt) {
    FloatVector a = broadcast(SPECIES, 0);
    for (int s = 0; s < tape.padded; s += COUNT) {
      a = fromArray(SPECIES, x, xAt + s).fma(fromArray(SPECIES, dy, dyAt + s), a);
    }
    a.intoArray(tape.lanes, 0);
    g[at] += sum(tape.lanes, 0);
  }

  /** ∂/∂b_j += Σ_s dy_j(s), b_j being at {@code at + units[j]}. */
  public static void addBias(Tape tape, int at, int[] units, float[] dy, int dyAt) {
    for (int j = 0; j < units.length; j++) {
      tape.parameterGradient[at + units[j]] += sumOf(tape, dy, dyAt + j * STRIDE, 1);
    }
  }

  /** Σ_c Σ_s dy_c(s), the gradient of one b that some columns share. */
  public static float sumOf(Tape tape, float[] dy, int dyAt, int columns) {
    FloatVector a = broadcast(SPECIES, 0);
    for (int c = 0; c < columns * STRIDE; c += STRIDE) {
      FloatVector column = broadcast(SPECIES, 0);
      for (int s = 0; s < tape.padded; s += COUNT) {
        column = column.add(fromArray(SPECIES, dy, dyAt + c + s));
      }
      a = a.add(column);
    }
    a.intoArray(tape.lanes, 0);
    return sum(tape.lanes, 0);
  }
}
