package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Planes.SIDE;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Lanes;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.ConvEncoder;
import cifvi.nn.Images;
import cifvi.nn.SmallDecoder;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import org.bytedeco.pytorch.Tensor;

/**
 * The convolution of a {@link ConvEncoder}, 4 x 4 with stride 2, from one or both {@link Planes} to
 * 14 x 14 positions p of C channels:
 *
 * <pre>
 *   y_cp = b_c + Σ_k w_ck x_{p+k}        k runs over planes and the 16 taps in each
 *   dw_ck = Σ_p dy_cp x_{p+k},  db_c = Σ_p dy_cp
 * </pre>
 *
 * <p>The gradient in x is a {@link TransposedConv}; and where that is the way forward, as in a
 * {@link SmallDecoder}, the sums here are the way back, with x and y in each other's place.
 *
 * <p>As in {@link Gemm} the lanes are rows of the batch, and a tile keeps its sums in registers:
 * four channels by two vectors of rows. They look like those there, but begin with the bias, and
 * inputs are picked, for which the compiler wants more registers than a tile of six vectors leaves.
 */
public final class StridedConv {
  public static final int TILE = 4;

  private static final int PAIR = 2 * COUNT;
  private static final int HALF = Images.HALF;
  private static final int POSITIONS = HALF * HALF;
  private static final int TAPS = Images.KERNEL * Images.KERNEL;

  private final Weights weights;
  public final int channels;
  private final int inputs;
  private final int weight;
  private final int[] taps;
  private final int sums;

  /** A convolution with weights {@code [C, planes, 4, 4]}. */
  public StridedConv(Tensor weight, Weights weights, Layout.Scratch scratch) {
    this.weights = weights;
    this.weight = weights.offset(weight);
    channels = Math.toIntExact(weight.size(0));
    int planes = Math.toIntExact(weight.size(1));
    inputs = planes * TAPS;
    taps = new int[inputs];
    for (int k = 0; k < inputs; k++) {
      int y = k % TAPS / Images.KERNEL;
      taps[k] = ((k / TAPS * SIDE + y) * SIDE + k % Images.KERNEL) * STRIDE;
    }
    sums = scratch.rows(Math.ceilDiv(channels * inputs * COUNT, STRIDE));
  }

  /** Number of output columns, C x 14 x 14. */
  public int outputs() {
    return channels * POSITIONS;
  }

  private static int corner(int p) {
    return (p / HALF * SIDE + p % HALF) * Images.STRIDE * STRIDE;
  }

  /** From the images at {@code xAt}, beginning with the biases. */
  public void forward(float[] x, int xAt, float[] biases, int bias, float[] y, int yAt, int rows) {
    for (int p = 0; p < POSITIONS; p++) {
      int from = xAt + corner(p);
      for (int c = 0; c < channels; c += TILE) {
        int to = yAt + (c * POSITIONS + p) * STRIDE;
        int s = 0;
        for (; s + PAIR <= rows; s += PAIR) {
          forwardPair(c, x, from + s, biases, bias + c, y, to + s);
        }
        if (s < rows) {
          forwardNarrow(c, x, from + s, biases, bias + c, y, to + s);
        }
      }
    }
  }

  /** Four channels, two vectors of rows. */
  private void forwardPair(
      int c, float[] x, int from, float[] biases, int bias, float[] y, int to) {
    float[] w = weights.values;
    int w0 = weight + c * inputs;
    int w1 = w0 + inputs;
    int w2 = w1 + inputs;
    int w3 = w2 + inputs;
    FloatVector a0 = broadcast(SPECIES, biases[bias]);
    FloatVector a1 = a0;
    FloatVector b0 = broadcast(SPECIES, biases[bias + 1]);
    FloatVector b1 = b0;
    FloatVector c0 = broadcast(SPECIES, biases[bias + 2]);
    FloatVector c1 = c0;
    FloatVector d0 = broadcast(SPECIES, biases[bias + 3]);
    FloatVector d1 = d0;
    for (int k = 0; k < inputs; k++) {
      FloatVector x0 = fromArray(SPECIES, x, from + taps[k]);
      FloatVector x1 = fromArray(SPECIES, x, from + taps[k] + COUNT);
      FloatVector f = broadcast(SPECIES, w[w0 + k]);
      a0 = f.fma(x0, a0);
      a1 = f.fma(x1, a1);
      f = broadcast(SPECIES, w[w1 + k]);
      b0 = f.fma(x0, b0);
      b1 = f.fma(x1, b1);
      f = broadcast(SPECIES, w[w2 + k]);
      c0 = f.fma(x0, c0);
      c1 = f.fma(x1, c1);
      f = broadcast(SPECIES, w[w3 + k]);
      d0 = f.fma(x0, d0);
      d1 = f.fma(x1, d1);
    }
    a0.intoArray(y, to);
    a1.intoArray(y, to + COUNT);
    b0.intoArray(y, to + POSITIONS * STRIDE);
    b1.intoArray(y, to + POSITIONS * STRIDE + COUNT);
    c0.intoArray(y, to + 2 * POSITIONS * STRIDE);
    c1.intoArray(y, to + 2 * POSITIONS * STRIDE + COUNT);
    d0.intoArray(y, to + 3 * POSITIONS * STRIDE);
    d1.intoArray(y, to + 3 * POSITIONS * STRIDE + COUNT);
  }

  private void forwardNarrow(
      int c, float[] x, int from, float[] biases, int bias, float[] y, int to) {
    float[] w = weights.values;
    int w0 = weight + c * inputs;
    FloatVector a = broadcast(SPECIES, biases[bias]);
    FloatVector b = broadcast(SPECIES, biases[bias + 1]);
    FloatVector e = broadcast(SPECIES, biases[bias + 2]);
    FloatVector d = broadcast(SPECIES, biases[bias + 3]);
    for (int k = 0; k < inputs; k++) {
      FloatVector x0 = fromArray(SPECIES, x, from + taps[k]);
      a = x0.fma(broadcast(SPECIES, w[w0 + k]), a);
      b = x0.fma(broadcast(SPECIES, w[w0 + inputs + k]), b);
      e = x0.fma(broadcast(SPECIES, w[w0 + 2 * inputs + k]), e);
      d = x0.fma(broadcast(SPECIES, w[w0 + 3 * inputs + k]), d);
    }
    a.intoArray(y, to);
    b.intoArray(y, to + POSITIONS * STRIDE);
    e.intoArray(y, to + 2 * POSITIONS * STRIDE);
    d.intoArray(y, to + 3 * POSITIONS * STRIDE);
  }

  /** Adds to the gradient of w. */
  public void backwardWeights(Tape tape, float[] dy, int dyAt, float[] x, int xAt) {
    Arrays.fill(tape.scratch, sums, sums + channels * inputs * COUNT, 0);
    for (int row = 0; row < HALF; row++) {
      for (int c = 0; c < channels; c += TILE) {
        int from = dyAt + (c * POSITIONS + row * HALF) * STRIDE;
        for (int k = 0; k < inputs; k += 2) {
          int at = xAt + corner(row * HALF) + taps[k];
          pair(tape, dy, from, x, at, sums + (c * inputs + k) * COUNT);
        }
      }
    }
    for (int i = 0; i < channels * inputs; i++) {
      tape.parameterGradient[weight + i] += Lanes.sum(tape.scratch, sums + i * COUNT);
    }
  }

  /** Four channels, two adjacent taps, one row of positions. */
  private void pair(Tape tape, float[] dy, int dyAt, float[] x, int xAt, int to) {
    float[] d = tape.scratch;
    int next = inputs * COUNT;
    FloatVector a0 = fromArray(SPECIES, d, to);
    FloatVector a1 = fromArray(SPECIES, d, to + COUNT);
    FloatVector b0 = fromArray(SPECIES, d, to + next);
    FloatVector b1 = fromArray(SPECIES, d, to + next + COUNT);
    FloatVector c0 = fromArray(SPECIES, d, to + 2 * next);
    FloatVector c1 = fromArray(SPECIES, d, to + 2 * next + COUNT);
    FloatVector d0 = fromArray(SPECIES, d, to + 3 * next);
    FloatVector d1 = fromArray(SPECIES, d, to + 3 * next + COUNT);
    for (int p = 0; p < HALF; p++) {
      int from = dyAt + p * STRIDE;
      int at = xAt + p * Images.STRIDE * STRIDE;
      for (int s = 0; s < tape.padded; s += COUNT) {
        FloatVector x0 = fromArray(SPECIES, x, at + s);
        FloatVector x1 = fromArray(SPECIES, x, at + STRIDE + s);
        FloatVector g = fromArray(SPECIES, dy, from + s);
        a0 = g.fma(x0, a0);
        a1 = g.fma(x1, a1);
        g = fromArray(SPECIES, dy, from + POSITIONS * STRIDE + s);
        b0 = g.fma(x0, b0);
        b1 = g.fma(x1, b1);
        g = fromArray(SPECIES, dy, from + 2 * POSITIONS * STRIDE + s);
        c0 = g.fma(x0, c0);
        c1 = g.fma(x1, c1);
        g = fromArray(SPECIES, dy, from + 3 * POSITIONS * STRIDE + s);
        d0 = g.fma(x0, d0);
        d1 = g.fma(x1, d1);
      }
    }
    a0.intoArray(d, to);
    a1.intoArray(d, to + COUNT);
    b0.intoArray(d, to + next);
    b1.intoArray(d, to + next + COUNT);
    c0.intoArray(d, to + 2 * next);
    c1.intoArray(d, to + 2 * next + COUNT);
    d0.intoArray(d, to + 3 * next);
    d1.intoArray(d, to + 3 * next + COUNT);
  }
}
