package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;

/**
 * The sums of one tile of a {@link Gemm}, y_j += Σ_i w_ji x_i, written out so that they stay in
 * registers; hence lines that look alike here and in {@link WeightGradient}.
 *
 * <p>Two outputs by six vectors of rows are twelve sums: eight loads feed twelve multiply-adds.
 * With the two weights and one x that they share they need fifteen registers, of the sixteen that
 * AVX2 has; the compiler loads all weights first, so that four outputs by three vectors would need
 * nineteen. Other tiles finish what is left over.
 */
final class TileSums {
  private TileSums() {}

  static void twoWide(
      float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int w1 = at + ld;
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    FloatVector a2 = broadcast(SPECIES, 0);
    FloatVector a3 = broadcast(SPECIES, 0);
    FloatVector a4 = broadcast(SPECIES, 0);
    FloatVector a5 = broadcast(SPECIES, 0);
    FloatVector b0 = broadcast(SPECIES, 0);
    FloatVector b1 = broadcast(SPECIES, 0);
    FloatVector b2 = broadcast(SPECIES, 0);
    FloatVector b3 = broadcast(SPECIES, 0);
    FloatVector b4 = broadcast(SPECIES, 0);
    FloatVector b5 = broadcast(SPECIES, 0);
    for (int i = 0; i < inputs; i++) {
      FloatVector wa = broadcast(SPECIES, w[at + i]);
      FloatVector wb = broadcast(SPECIES, w[w1 + i]);
      FloatVector v = fromArray(SPECIES, x, xAt + i * STRIDE);
      a0 = v.fma(wa, a0);
      b0 = v.fma(wb, b0);
      v = fromArray(SPECIES, x, xAt + i * STRIDE + COUNT);
      a1 = v.fma(wa, a1);
      b1 = v.fma(wb, b1);
      v = fromArray(SPECIES, x, xAt + i * STRIDE + 2 * COUNT);
      a2 = v.fma(wa, a2);
      b2 = v.fma(wb, b2);
      v = fromArray(SPECIES, x, xAt + i * STRIDE + 3 * COUNT);
      a3 = v.fma(wa, a3);
      b3 = v.fma(wb, b3);
      v = fromArray(SPECIES, x, xAt + i * STRIDE + 4 * COUNT);
      a4 = v.fma(wa, a4);
      b4 = v.fma(wb, b4);
      v = fromArray(SPECIES, x, xAt + i * STRIDE + 5 * COUNT);
      a5 = v.fma(wa, a5);
      b5 = v.fma(wb, b5);
    }
    a0.add(fromArray(SPECIES, y, y0)).intoArray(y, y0);
    a1.add(fromArray(SPECIES, y, y0 + COUNT)).intoArray(y, y0 + COUNT);
    a2.add(fromArray(SPECIES, y, y0 + 2 * COUNT)).intoArray(y, y0 + 2 * COUNT);
    a3.add(fromArray(SPECIES, y, y0 + 3 * COUNT)).intoArray(y, y0 + 3 * COUNT);
    a4.add(fromArray(SPECIES, y, y0 + 4 * COUNT)).intoArray(y, y0 + 4 * COUNT);
    a5.add(fromArray(SPECIES, y, y0 + 5 * COUNT)).intoArray(y, y0 + 5 * COUNT);
    b0.add(fromArray(SPECIES, y, y1)).intoArray(y, y1);
    b1.add(fromArray(SPECIES, y, y1 + COUNT)).intoArray(y, y1 + COUNT);
    b2.add(fromArray(SPECIES, y, y1 + 2 * COUNT)).intoArray(y, y1 + 2 * COUNT);
    b3.add(fromArray(SPECIES, y, y1 + 3 * COUNT)).intoArray(y, y1 + 3 * COUNT);
    b4.add(fromArray(SPECIES, y, y1 + 4 * COUNT)).intoArray(y, y1 + 4 * COUNT);
    b5.add(fromArray(SPECIES, y, y1 + 5 * COUNT)).intoArray(y, y1 + 5 * COUNT);
  }

  static void fourPair(
      float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int y2 = y1 + STRIDE;
    int y3 = y2 + STRIDE;
    int w1 = at + ld;
    int w2 = w1 + ld;
    int w3 = w2 + ld;
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    FloatVector b0 = broadcast(SPECIES, 0);
    FloatVector b1 = broadcast(SPECIES, 0);
    FloatVector c0 = broadcast(SPECIES, 0);
    FloatVector c1 = broadcast(SPECIES, 0);
    FloatVector d0 = broadcast(SPECIES, 0);
    FloatVector d1 = broadcast(SPECIES, 0);
    for (int i = 0; i < inputs; i++) {
      FloatVector x0 = fromArray(SPECIES, x, xAt + i * STRIDE);
      FloatVector x1 = fromArray(SPECIES, x, xAt + i * STRIDE + COUNT);
      FloatVector v = broadcast(SPECIES, w[at + i]);
      a0 = v.fma(x0, a0);
      a1 = v.fma(x1, a1);
      v = broadcast(SPECIES, w[w1 + i]);
      b0 = v.fma(x0, b0);
      b1 = v.fma(x1, b1);
      v = broadcast(SPECIES, w[w2 + i]);
      c0 = v.fma(x0, c0);
      c1 = v.fma(x1, c1);
      v = broadcast(SPECIES, w[w3 + i]);
      d0 = v.fma(x0, d0);
      d1 = v.fma(x1, d1);
    }
    a0.add(fromArray(SPECIES, y, y0)).intoArray(y, y0);
    a1.add(fromArray(SPECIES, y, y0 + COUNT)).intoArray(y, y0 + COUNT);
    b0.add(fromArray(SPECIES, y, y1)).intoArray(y, y1);
    b1.add(fromArray(SPECIES, y, y1 + COUNT)).intoArray(y, y1 + COUNT);
    c0.add(fromArray(SPECIES, y, y2)).intoArray(y, y2);
    c1.add(fromArray(SPECIES, y, y2 + COUNT)).intoArray(y, y2 + COUNT);
    d0.add(fromArray(SPECIES, y, y3)).intoArray(y, y3);
    d1.add(fromArray(SPECIES, y, y3 + COUNT)).intoArray(y, y3 + COUNT);
  }

  static void four(float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int y2 = y1 + STRIDE;
    int y3 = y2 + STRIDE;
    int w1 = at + ld;
    int w2 = w1 + ld;
    int w3 = w2 + ld;
    FloatVector a = broadcast(SPECIES, 0);
    FloatVector b = broadcast(SPECIES, 0);
    FloatVector c = broadcast(SPECIES, 0);
    FloatVector d = broadcast(SPECIES, 0);
    for (int i = 0; i < inputs; i++) {
      FloatVector v = fromArray(SPECIES, x, xAt + i * STRIDE);
      a = v.fma(broadcast(SPECIES, w[at + i]), a);
      b = v.fma(broadcast(SPECIES, w[w1 + i]), b);
      c = v.fma(broadcast(SPECIES, w[w2 + i]), c);
      d = v.fma(broadcast(SPECIES, w[w3 + i]), d);
    }
    a.add(fromArray(SPECIES, y, y0)).intoArray(y, y0);
    b.add(fromArray(SPECIES, y, y1)).intoArray(y, y1);
    c.add(fromArray(SPECIES, y, y2)).intoArray(y, y2);
    d.add(fromArray(SPECIES, y, y3)).intoArray(y, y3);
  }

  static void oneWide(float[] w, int at, int inputs, float[] x, int xAt, float[] y, int yAt) {
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    FloatVector a2 = broadcast(SPECIES, 0);
    FloatVector a3 = broadcast(SPECIES, 0);
    FloatVector a4 = broadcast(SPECIES, 0);
    FloatVector a5 = broadcast(SPECIES, 0);
    for (int i = 0; i < inputs; i++) {
      FloatVector v = broadcast(SPECIES, w[at + i]);
      a0 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE), a0);
      a1 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + COUNT), a1);
      a2 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + 2 * COUNT), a2);
      a3 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + 3 * COUNT), a3);
      a4 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + 4 * COUNT), a4);
      a5 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + 5 * COUNT), a5);
    }
    a0.add(fromArray(SPECIES, y, yAt)).intoArray(y, yAt);
    a1.add(fromArray(SPECIES, y, yAt + COUNT)).intoArray(y, yAt + COUNT);
    a2.add(fromArray(SPECIES, y, yAt + 2 * COUNT)).intoArray(y, yAt + 2 * COUNT);
    a3.add(fromArray(SPECIES, y, yAt + 3 * COUNT)).intoArray(y, yAt + 3 * COUNT);
    a4.add(fromArray(SPECIES, y, yAt + 4 * COUNT)).intoArray(y, yAt + 4 * COUNT);
    a5.add(fromArray(SPECIES, y, yAt + 5 * COUNT)).intoArray(y, yAt + 5 * COUNT);
  }

  static void one(float[] w, int at, int inputs, float[] x, int xAt, float[] y, int yAt) {
    FloatVector a = broadcast(SPECIES, 0);
    for (int i = 0; i < inputs; i++) {
      a = fromArray(SPECIES, x, xAt + i * STRIDE).fma(broadcast(SPECIES, w[at + i]), a);
    }
    a.add(fromArray(SPECIES, y, yAt)).intoArray(y, yAt);
  }
}
