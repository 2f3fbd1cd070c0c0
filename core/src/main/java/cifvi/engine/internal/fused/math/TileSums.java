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
 * <p>Four outputs by three vectors of rows are twelve sums: seven loads feed twelve multiply-adds.
 * Narrower tiles finish what is left over.
 */
final class TileSums {
  private TileSums() {}

  static void four(float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int y2 = y1 + STRIDE;
    int y3 = y2 + STRIDE;
    int w1 = at + ld;
    int w2 = w1 + ld;
    int w3 = w2 + ld;
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    FloatVector a2 = broadcast(SPECIES, 0);
    FloatVector b0 = broadcast(SPECIES, 0);
    FloatVector b1 = broadcast(SPECIES, 0);
    FloatVector b2 = broadcast(SPECIES, 0);
    FloatVector c0 = broadcast(SPECIES, 0);
    FloatVector c1 = broadcast(SPECIES, 0);
    FloatVector c2 = broadcast(SPECIES, 0);
    FloatVector d0 = broadcast(SPECIES, 0);
    FloatVector d1 = broadcast(SPECIES, 0);
    FloatVector d2 = broadcast(SPECIES, 0);
    for (int i = 0; i < inputs; i++) {
      FloatVector x0 = fromArray(SPECIES, x, xAt + i * STRIDE);
      FloatVector x1 = fromArray(SPECIES, x, xAt + i * STRIDE + COUNT);
      FloatVector x2 = fromArray(SPECIES, x, xAt + i * STRIDE + 2 * COUNT);
      FloatVector v = broadcast(SPECIES, w[at + i]);
      a0 = v.fma(x0, a0);
      a1 = v.fma(x1, a1);
      a2 = v.fma(x2, a2);
      v = broadcast(SPECIES, w[w1 + i]);
      b0 = v.fma(x0, b0);
      b1 = v.fma(x1, b1);
      b2 = v.fma(x2, b2);
      v = broadcast(SPECIES, w[w2 + i]);
      c0 = v.fma(x0, c0);
      c1 = v.fma(x1, c1);
      c2 = v.fma(x2, c2);
      v = broadcast(SPECIES, w[w3 + i]);
      d0 = v.fma(x0, d0);
      d1 = v.fma(x1, d1);
      d2 = v.fma(x2, d2);
    }
    a0.add(fromArray(SPECIES, y, y0)).intoArray(y, y0);
    a1.add(fromArray(SPECIES, y, y0 + COUNT)).intoArray(y, y0 + COUNT);
    a2.add(fromArray(SPECIES, y, y0 + 2 * COUNT)).intoArray(y, y0 + 2 * COUNT);
    b0.add(fromArray(SPECIES, y, y1)).intoArray(y, y1);
    b1.add(fromArray(SPECIES, y, y1 + COUNT)).intoArray(y, y1 + COUNT);
    b2.add(fromArray(SPECIES, y, y1 + 2 * COUNT)).intoArray(y, y1 + 2 * COUNT);
    c0.add(fromArray(SPECIES, y, y2)).intoArray(y, y2);
    c1.add(fromArray(SPECIES, y, y2 + COUNT)).intoArray(y, y2 + COUNT);
    c2.add(fromArray(SPECIES, y, y2 + 2 * COUNT)).intoArray(y, y2 + 2 * COUNT);
    d0.add(fromArray(SPECIES, y, y3)).intoArray(y, y3);
    d1.add(fromArray(SPECIES, y, y3 + COUNT)).intoArray(y, y3 + COUNT);
    d2.add(fromArray(SPECIES, y, y3 + 2 * COUNT)).intoArray(y, y3 + 2 * COUNT);
  }

  static void fourNarrow(
      float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int y0) {
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
    for (int i = 0; i < inputs; i++) {
      FloatVector v = broadcast(SPECIES, w[at + i]);
      a0 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE), a0);
      a1 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + COUNT), a1);
      a2 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + 2 * COUNT), a2);
    }
    a0.add(fromArray(SPECIES, y, yAt)).intoArray(y, yAt);
    a1.add(fromArray(SPECIES, y, yAt + COUNT)).intoArray(y, yAt + COUNT);
    a2.add(fromArray(SPECIES, y, yAt + 2 * COUNT)).intoArray(y, yAt + 2 * COUNT);
  }

  static void one(float[] w, int at, int inputs, float[] x, int xAt, float[] y, int yAt) {
    FloatVector a = broadcast(SPECIES, 0);
    for (int i = 0; i < inputs; i++) {
      a = fromArray(SPECIES, x, xAt + i * STRIDE).fma(broadcast(SPECIES, w[at + i]), a);
    }
    a.add(fromArray(SPECIES, y, yAt)).intoArray(y, yAt);
  }
}
