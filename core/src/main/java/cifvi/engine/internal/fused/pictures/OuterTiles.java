package cifvi.engine.internal.fused.pictures;

import static cifvi.engine.internal.fused.pictures.WideLanes.COUNT;
import static cifvi.engine.internal.fused.pictures.WideLanes.SPECIES;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;

/**
 * The sums of one tile of a gradient by {@link RowGemm}, w += aᵀ d, as {@link RowTiles} has them.
 */
final class OuterTiles {
  private OuterTiles() {}

  static void sixPair(
      float[] a,
      int aAt,
      int inputs,
      float[] d,
      int dAt,
      int columns,
      int terms,
      float[] w,
      int w0) {
    FloatVector p0 = broadcast(SPECIES, 0);
    FloatVector p1 = broadcast(SPECIES, 0);
    FloatVector q0 = broadcast(SPECIES, 0);
    FloatVector q1 = broadcast(SPECIES, 0);
    FloatVector r0 = broadcast(SPECIES, 0);
    FloatVector r1 = broadcast(SPECIES, 0);
    FloatVector s0 = broadcast(SPECIES, 0);
    FloatVector s1 = broadcast(SPECIES, 0);
    FloatVector t0 = broadcast(SPECIES, 0);
    FloatVector t1 = broadcast(SPECIES, 0);
    FloatVector u0 = broadcast(SPECIES, 0);
    FloatVector u1 = broadcast(SPECIES, 0);
    for (int k = 0; k < terms; k++) {
      FloatVector v0 = fromArray(SPECIES, d, dAt + k * columns);
      FloatVector v1 = fromArray(SPECIES, d, dAt + k * columns + COUNT);
      FloatVector x = broadcast(SPECIES, a[aAt + k * inputs]);
      p0 = x.fma(v0, p0);
      p1 = x.fma(v1, p1);
      x = broadcast(SPECIES, a[aAt + k * inputs + 1]);
      q0 = x.fma(v0, q0);
      q1 = x.fma(v1, q1);
      x = broadcast(SPECIES, a[aAt + k * inputs + 2]);
      r0 = x.fma(v0, r0);
      r1 = x.fma(v1, r1);
      x = broadcast(SPECIES, a[aAt + k * inputs + 3]);
      s0 = x.fma(v0, s0);
      s1 = x.fma(v1, s1);
      x = broadcast(SPECIES, a[aAt + k * inputs + 4]);
      t0 = x.fma(v0, t0);
      t1 = x.fma(v1, t1);
      x = broadcast(SPECIES, a[aAt + k * inputs + 5]);
      u0 = x.fma(v0, u0);
      u1 = x.fma(v1, u1);
    }
    int w1 = w0 + columns;
    int w2 = w1 + columns;
    int w3 = w2 + columns;
    int w4 = w3 + columns;
    int w5 = w4 + columns;
    p0.add(fromArray(SPECIES, w, w0)).intoArray(w, w0);
    p1.add(fromArray(SPECIES, w, w0 + COUNT)).intoArray(w, w0 + COUNT);
    q0.add(fromArray(SPECIES, w, w1)).intoArray(w, w1);
    q1.add(fromArray(SPECIES, w, w1 + COUNT)).intoArray(w, w1 + COUNT);
    r0.add(fromArray(SPECIES, w, w2)).intoArray(w, w2);
    r1.add(fromArray(SPECIES, w, w2 + COUNT)).intoArray(w, w2 + COUNT);
    s0.add(fromArray(SPECIES, w, w3)).intoArray(w, w3);
    s1.add(fromArray(SPECIES, w, w3 + COUNT)).intoArray(w, w3 + COUNT);
    t0.add(fromArray(SPECIES, w, w4)).intoArray(w, w4);
    t1.add(fromArray(SPECIES, w, w4 + COUNT)).intoArray(w, w4 + COUNT);
    u0.add(fromArray(SPECIES, w, w5)).intoArray(w, w5);
    u1.add(fromArray(SPECIES, w, w5 + COUNT)).intoArray(w, w5 + COUNT);
  }

  static void twoPair(
      float[] a,
      int aAt,
      int inputs,
      float[] d,
      int dAt,
      int columns,
      int terms,
      float[] w,
      int w0) {
    FloatVector p0 = broadcast(SPECIES, 0);
    FloatVector p1 = broadcast(SPECIES, 0);
    FloatVector q0 = broadcast(SPECIES, 0);
    FloatVector q1 = broadcast(SPECIES, 0);
    for (int k = 0; k < terms; k++) {
      FloatVector v0 = fromArray(SPECIES, d, dAt + k * columns);
      FloatVector v1 = fromArray(SPECIES, d, dAt + k * columns + COUNT);
      FloatVector x = broadcast(SPECIES, a[aAt + k * inputs]);
      p0 = x.fma(v0, p0);
      p1 = x.fma(v1, p1);
      x = broadcast(SPECIES, a[aAt + k * inputs + 1]);
      q0 = x.fma(v0, q0);
      q1 = x.fma(v1, q1);
    }
    int w1 = w0 + columns;
    p0.add(fromArray(SPECIES, w, w0)).intoArray(w, w0);
    p1.add(fromArray(SPECIES, w, w0 + COUNT)).intoArray(w, w0 + COUNT);
    q0.add(fromArray(SPECIES, w, w1)).intoArray(w, w1);
    q1.add(fromArray(SPECIES, w, w1 + COUNT)).intoArray(w, w1 + COUNT);
  }

  static void two(
      float[] a,
      int aAt,
      int inputs,
      float[] d,
      int dAt,
      int columns,
      int terms,
      float[] w,
      int w0) {
    FloatVector p0 = broadcast(SPECIES, 0);
    FloatVector q0 = broadcast(SPECIES, 0);
    for (int k = 0; k < terms; k++) {
      FloatVector v0 = fromArray(SPECIES, d, dAt + k * columns);
      FloatVector x = broadcast(SPECIES, a[aAt + k * inputs]);
      p0 = x.fma(v0, p0);
      x = broadcast(SPECIES, a[aAt + k * inputs + 1]);
      q0 = x.fma(v0, q0);
    }
    int w1 = w0 + columns;
    p0.add(fromArray(SPECIES, w, w0)).intoArray(w, w0);
    q0.add(fromArray(SPECIES, w, w1)).intoArray(w, w1);
  }
}
