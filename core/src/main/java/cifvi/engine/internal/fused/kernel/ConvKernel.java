package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Planes.SIDE;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.math.Gemm;
import cifvi.engine.internal.fused.memory.Lanes;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.ConvEncoder;
import cifvi.nn.Images;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The convolution of a {@link ConvEncoder}, 4 x 4 with stride 2, from one or both {@link Planes} to
 * 14 x 14 positions p of C channels:
 *
 * <pre>
 *   y_cp = b_c + Σ_k w_ck x_{p+k}        k runs over planes and the 16 taps in each
 *   dw_ck = Σ_p dy_cp x_{p+k},  db_c = Σ_p dy_cp,  dx_i = Σ_c Σ_{p+k=i} w_ck dy_cp
 * </pre>
 *
 * <p>As in {@link Gemm} the lanes are rows of the batch, and a tile keeps its sums in registers:
 * four channels by two vectors of rows. They look like those there, but begin with the bias, and
 * inputs are picked, for which the compiler wants more registers than a tile of six vectors leaves.
 */
public final class ConvKernel {
  public static final int TILE = 4;

  private static final int PAIR = 2 * COUNT;
  private static final int WIDE = 6 * COUNT;
  private static final int HALF = Images.HALF;
  private static final int POSITIONS = HALF * HALF;
  private static final int TAPS = Images.KERNEL * Images.KERNEL;

  private final Weights weights;
  private final int channels;
  private final int inputs;
  private final int weight;
  private final int bias;
  private final int plane;
  private final int[] taps;
  private final int sums;

  /**
   * Makes the kernel of a convolution.
   *
   * @param plane place of the first of its input images
   */
  ConvKernel(ConvEncoder encoder, int plane, Weights weights, Layout.Scratch scratch) {
    this.weights = weights;
    this.plane = plane;
    channels = Math.toIntExact(encoder.weight().size(0));
    int planes = Math.toIntExact(encoder.weight().size(1));
    inputs = planes * TAPS;
    weight = weights.offset(encoder.weight());
    bias = weights.offset(encoder.bias());
    taps = new int[inputs];
    for (int k = 0; k < inputs; k++) {
      int y = k % TAPS / Images.KERNEL;
      taps[k] = ((k / TAPS * SIDE + y) * SIDE + k % Images.KERNEL) * STRIDE;
    }
    sums = scratch.rows(Math.ceilDiv(channels * inputs * COUNT, STRIDE));
  }

  /** Number of output columns, C x 14 x 14. */
  int outputs() {
    return channels * POSITIONS;
  }

  private static int corner(int p) {
    return (p / HALF * SIDE + p % HALF) * Images.STRIDE * STRIDE;
  }

  void forward(Tape tape, int y) {
    float[] v = tape.values;
    for (int p = 0; p < POSITIONS; p++) {
      int x = plane + corner(p);
      for (int c = 0; c < channels; c += TILE) {
        int to = y + (c * POSITIONS + p) * STRIDE;
        int s = 0;
        for (; s + PAIR <= tape.padded; s += PAIR) {
          forwardPair(v, x + s, to + s, c);
        }
        if (s < tape.padded) {
          forwardNarrow(v, x + s, to + s, c);
        }
      }
    }
  }

  /** Four channels, two vectors of rows. */
  private void forwardPair(float[] v, int x, int y, int c) {
    float[] w = weights.values;
    int w0 = weight + c * inputs;
    int w1 = w0 + inputs;
    int w2 = w1 + inputs;
    int w3 = w2 + inputs;
    FloatVector a0 = broadcast(SPECIES, w[bias + c]);
    FloatVector a1 = a0;
    FloatVector b0 = broadcast(SPECIES, w[bias + c + 1]);
    FloatVector b1 = b0;
    FloatVector c0 = broadcast(SPECIES, w[bias + c + 2]);
    FloatVector c1 = c0;
    FloatVector d0 = broadcast(SPECIES, w[bias + c + 3]);
    FloatVector d1 = d0;
    for (int k = 0; k < inputs; k++) {
      FloatVector x0 = fromArray(SPECIES, v, x + taps[k]);
      FloatVector x1 = fromArray(SPECIES, v, x + taps[k] + COUNT);
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
    a0.intoArray(v, y);
    a1.intoArray(v, y + COUNT);
    b0.intoArray(v, y + POSITIONS * STRIDE);
    b1.intoArray(v, y + POSITIONS * STRIDE + COUNT);
    c0.intoArray(v, y + 2 * POSITIONS * STRIDE);
    c1.intoArray(v, y + 2 * POSITIONS * STRIDE + COUNT);
    d0.intoArray(v, y + 3 * POSITIONS * STRIDE);
    d1.intoArray(v, y + 3 * POSITIONS * STRIDE + COUNT);
  }

  private void forwardNarrow(float[] v, int x, int y, int c) {
    float[] w = weights.values;
    int w0 = weight + c * inputs;
    FloatVector a = broadcast(SPECIES, w[bias + c]);
    FloatVector b = broadcast(SPECIES, w[bias + c + 1]);
    FloatVector e = broadcast(SPECIES, w[bias + c + 2]);
    FloatVector d = broadcast(SPECIES, w[bias + c + 3]);
    for (int k = 0; k < inputs; k++) {
      FloatVector x0 = fromArray(SPECIES, v, x + taps[k]);
      a = x0.fma(broadcast(SPECIES, w[w0 + k]), a);
      b = x0.fma(broadcast(SPECIES, w[w0 + inputs + k]), b);
      e = x0.fma(broadcast(SPECIES, w[w0 + 2 * inputs + k]), e);
      d = x0.fma(broadcast(SPECIES, w[w0 + 3 * inputs + k]), d);
    }
    a.intoArray(v, y);
    b.intoArray(v, y + POSITIONS * STRIDE);
    e.intoArray(v, y + 2 * POSITIONS * STRIDE);
    d.intoArray(v, y + 3 * POSITIONS * STRIDE);
  }

  /** Adds to the gradients of w and b; dy is in scratch memory. */
  void backwardWeights(Tape tape, int dy) {
    Arrays.fill(tape.scratch, sums, sums + channels * inputs * COUNT, 0);
    for (int row = 0; row < HALF; row++) {
      for (int c = 0; c < channels; c += TILE) {
        int from = dy + (c * POSITIONS + row * HALF) * STRIDE;
        for (int k = 0; k < inputs; k += 2) {
          int x = plane + corner(row * HALF) + taps[k];
          pair(tape, from, x, sums + (c * inputs + k) * COUNT);
        }
      }
    }
    for (int i = 0; i < channels * inputs; i++) {
      tape.parameterGradient[weight + i] += Lanes.sum(tape.scratch, sums + i * COUNT);
    }
    for (int c = 0; c < channels; c++) {
      backwardBias(tape, c, dy + c * POSITIONS * STRIDE);
    }
  }

  /** Four channels, two adjacent taps, one row of positions. */
  private void pair(Tape tape, int dy, int x, int to) {
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
      int from = dy + p * STRIDE;
      int at = x + p * Images.STRIDE * STRIDE;
      for (int s = 0; s < tape.padded; s += COUNT) {
        FloatVector x0 = fromArray(SPECIES, tape.values, at + s);
        FloatVector x1 = fromArray(SPECIES, tape.values, at + STRIDE + s);
        FloatVector g = fromArray(SPECIES, d, from + s);
        a0 = g.fma(x0, a0);
        a1 = g.fma(x1, a1);
        g = fromArray(SPECIES, d, from + POSITIONS * STRIDE + s);
        b0 = g.fma(x0, b0);
        b1 = g.fma(x1, b1);
        g = fromArray(SPECIES, d, from + 2 * POSITIONS * STRIDE + s);
        c0 = g.fma(x0, c0);
        c1 = g.fma(x1, c1);
        g = fromArray(SPECIES, d, from + 3 * POSITIONS * STRIDE + s);
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

  private void backwardBias(Tape tape, int c, int dy) {
    FloatVector sum = broadcast(SPECIES, 0);
    for (int p = 0; p < POSITIONS; p++) {
      for (int s = 0; s < tape.padded; s += COUNT) {
        sum = sum.add(fromArray(SPECIES, tape.scratch, dy + p * STRIDE + s));
      }
    }
    sum.intoArray(tape.lanes, 0);
    tape.parameterGradient[bias + c] += Lanes.sum(tape.lanes, 0);
  }

  /**
   * Writes the gradient in the first image, without its border, to scratch memory: pixel i has four
   * positions p and taps k with p + k = i, two each way.
   */
  void backwardImage(Tape tape, int dy, int dx) {
    for (int y = 0; y < Images.SIDE; y++) {
      for (int x = 0; x < Images.SIDE; x++) {
        int to = dx + (y * Images.SIDE + x) * STRIDE;
        Arrays.fill(tape.scratch, to, to + tape.padded, 0);
        for (int ky = (y + 1) % 2; ky < Images.KERNEL; ky += 2) {
          int row = (y + 1 - ky) / 2;
          for (int kx = (x + 1) % 2; kx < Images.KERNEL; kx += 2) {
            int column = (x + 1 - kx) / 2;
            if (y + 1 >= ky && row < HALF && x + 1 >= kx && column < HALF) {
              int from = dy + (row * HALF + column) * STRIDE;
              channels(tape.scratch, from, ky * Images.KERNEL + kx, to, tape.padded);
            }
          }
        }
      }
    }
  }

  /** dx += Σ_c w_ck dy_c for one tap and one position. */
  private void channels(float[] scratch, int dy, int k, int dx, int rows) {
    float[] w = weights.values;
    int s = 0;
    for (; s + WIDE <= rows; s += WIDE) {
      FloatVector a0 = fromArray(SPECIES, scratch, dx + s);
      FloatVector a1 = fromArray(SPECIES, scratch, dx + s + COUNT);
      FloatVector a2 = fromArray(SPECIES, scratch, dx + s + 2 * COUNT);
      FloatVector a3 = fromArray(SPECIES, scratch, dx + s + 3 * COUNT);
      FloatVector a4 = fromArray(SPECIES, scratch, dx + s + 4 * COUNT);
      FloatVector a5 = fromArray(SPECIES, scratch, dx + s + 5 * COUNT);
      for (int c = 0; c < channels; c++) {
        int from = dy + c * POSITIONS * STRIDE + s;
        FloatVector f = broadcast(SPECIES, w[weight + c * inputs + k]);
        a0 = f.fma(fromArray(SPECIES, scratch, from), a0);
        a1 = f.fma(fromArray(SPECIES, scratch, from + COUNT), a1);
        a2 = f.fma(fromArray(SPECIES, scratch, from + 2 * COUNT), a2);
        a3 = f.fma(fromArray(SPECIES, scratch, from + 3 * COUNT), a3);
        a4 = f.fma(fromArray(SPECIES, scratch, from + 4 * COUNT), a4);
        a5 = f.fma(fromArray(SPECIES, scratch, from + 5 * COUNT), a5);
      }
      a0.intoArray(scratch, dx + s);
      a1.intoArray(scratch, dx + s + COUNT);
      a2.intoArray(scratch, dx + s + 2 * COUNT);
      a3.intoArray(scratch, dx + s + 3 * COUNT);
      a4.intoArray(scratch, dx + s + 4 * COUNT);
      a5.intoArray(scratch, dx + s + 5 * COUNT);
    }
    for (; s < rows; s += COUNT) {
      FloatVector a = fromArray(SPECIES, scratch, dx + s);
      for (int c = 0; c < channels; c++) {
        FloatVector f = broadcast(SPECIES, w[weight + c * inputs + k]);
        a = f.fma(fromArray(SPECIES, scratch, dy + c * POSITIONS * STRIDE + s), a);
      }
      a.intoArray(scratch, dx + s);
    }
  }
}
