package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Planes.SIDE;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.Images;
import java.util.stream.IntStream;
import jdk.incubator.vector.FloatVector;
import org.bytedeco.pytorch.Tensor;

/**
 * The transposed convolution 4 x 4 with stride 2, from C channels of 14 x 14 positions p to one
 * image with the border of {@link Planes}, in which pixel i gets
 *
 * <pre>
 *   x_i = b + Σ_c Σ_{p+k=i} w_ck y_cp        i = p + k: two positions each way
 * </pre>
 *
 * <p>The four pixels between four positions see the same 4 C numbers, so that they are a tile of a
 * {@link Gemm} whose inputs are picked. Pixels of the border get what nobody should read.
 */
public final class TransposedConv {
  private static final int WIDE = 3 * COUNT;
  private static final int HALF = Images.HALF;
  private static final int TILE = 4;
  private static final int CORNERS = 4;

  private final float[] packed; // [input, pixel of the tile]
  private final int[] offsets; // of an input from the first position of its tile
  private final int[][] inputs = new int[9][]; // that exist, by where the tile lies

  /** Of one image, the first that the convolution with these weights sees. */
  public TransposedConv(Tensor weight, Weights weights, Layout layout) {
    int channels = Math.toIntExact(weight.size(0));
    int stride = Math.toIntExact(weight.numel()) / channels;
    int first = weights.offset(weight);
    packed = new float[channels * CORNERS * TILE];
    offsets = new int[channels * CORNERS];
    for (int n = 0; n < offsets.length; n++) {
      offsets[n] = (n / CORNERS * HALF * HALF + down(n) * HALF + right(n)) * STRIDE;
    }
    for (int place = 0; place < inputs.length; place++) {
      int here = place;
      inputs[place] =
          IntStream.range(0, offsets.length)
              .filter(n -> exists(here / 3, down(n)) && exists(here % 3, right(n)))
              .toArray();
    }
    layout.prepare(() -> pack(weights.values, first, stride));
  }

  /** Whether an input is of the lower two positions of its tile. */
  private static int down(int n) {
    return n % CORNERS / 2;
  }

  private static int right(int n) {
    return n % 2;
  }

  /** At the first edge (0) the first position is missing, at the last (2) the second one. */
  private static boolean exists(int edge, int position) {
    return edge != 2 * position;
  }

  private void pack(float[] w, int first, int stride) {
    for (int n = 0; n < offsets.length; n++) {
      for (int j = 0; j < TILE; j++) {
        int y = 2 * (1 - down(n)) + j / 2;
        int x = 2 * (1 - right(n)) + j % 2;
        packed[n * TILE + j] = w[first + n / CORNERS * stride + y * Images.KERNEL + x];
      }
    }
  }

  /** From y to the image at {@code xAt}. */
  public void run(float[] y, int yAt, float[] x, int xAt, float bias, int rows) {
    for (int p = 0; p <= HALF; p++) {
      for (int q = 0; q <= HALF; q++) {
        int[] picked = inputs[3 * edge(p) + edge(q)];
        int from = yAt + ((p - 1) * HALF + q - 1) * STRIDE;
        int to = xAt + (p * SIDE + q) * 2 * STRIDE;
        int s = 0;
        for (; s + WIDE <= rows; s += WIDE) {
          wide(picked, y, from + s, x, to + s, bias);
        }
        for (; s < rows; s += COUNT) {
          narrow(picked, y, from + s, x, to + s, bias);
        }
      }
    }
  }

  private static int edge(int p) {
    return p == 0 ? 0 : p == HALF ? 2 : 1;
  }

  private void wide(int[] picked, float[] y, int from, float[] x, int to, float bias) {
    float[] w = packed;
    FloatVector a0 = broadcast(SPECIES, bias);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector b0 = a0;
    FloatVector b1 = a0;
    FloatVector b2 = a0;
    FloatVector c0 = a0;
    FloatVector c1 = a0;
    FloatVector c2 = a0;
    FloatVector d0 = a0;
    FloatVector d1 = a0;
    FloatVector d2 = a0;
    for (int n : picked) {
      int at = from + offsets[n];
      FloatVector y0 = fromArray(SPECIES, y, at);
      FloatVector y1 = fromArray(SPECIES, y, at + COUNT);
      FloatVector y2 = fromArray(SPECIES, y, at + 2 * COUNT);
      FloatVector f = broadcast(SPECIES, w[n * TILE]);
      a0 = f.fma(y0, a0);
      a1 = f.fma(y1, a1);
      a2 = f.fma(y2, a2);
      f = broadcast(SPECIES, w[n * TILE + 1]);
      b0 = f.fma(y0, b0);
      b1 = f.fma(y1, b1);
      b2 = f.fma(y2, b2);
      f = broadcast(SPECIES, w[n * TILE + 2]);
      c0 = f.fma(y0, c0);
      c1 = f.fma(y1, c1);
      c2 = f.fma(y2, c2);
      f = broadcast(SPECIES, w[n * TILE + 3]);
      d0 = f.fma(y0, d0);
      d1 = f.fma(y1, d1);
      d2 = f.fma(y2, d2);
    }
    store(x, to, a0, a1, a2);
    store(x, to + STRIDE, b0, b1, b2);
    store(x, to + SIDE * STRIDE, c0, c1, c2);
    store(x, to + (SIDE + 1) * STRIDE, d0, d1, d2);
  }

  private static void store(float[] x, int at, FloatVector a, FloatVector b, FloatVector c) {
    a.intoArray(x, at);
    b.intoArray(x, at + COUNT);
    c.intoArray(x, at + 2 * COUNT);
  }

  private void narrow(int[] picked, float[] y, int from, float[] x, int to, float bias) {
    float[] w = packed;
    FloatVector a = broadcast(SPECIES, bias);
    FloatVector b = a;
    FloatVector c = a;
    FloatVector d = a;
    for (int n : picked) {
      FloatVector v = fromArray(SPECIES, y, from + offsets[n]);
      a = v.fma(broadcast(SPECIES, w[n * TILE]), a);
      b = v.fma(broadcast(SPECIES, w[n * TILE + 1]), b);
      c = v.fma(broadcast(SPECIES, w[n * TILE + 2]), c);
      d = v.fma(broadcast(SPECIES, w[n * TILE + 3]), d);
    }
    a.intoArray(x, to);
    b.intoArray(x, to + STRIDE);
    c.intoArray(x, to + SIDE * STRIDE);
    d.intoArray(x, to + (SIDE + 1) * STRIDE);
  }
}
