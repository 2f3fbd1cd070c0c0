package cifvi.engine.internal.fused.pictures;

import static cifvi.engine.internal.fused.pictures.WideLanes.COUNT;
import static cifvi.engine.internal.fused.pictures.WideLanes.SPECIES;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;

/**
 * The sums of one tile of a {@link RowGemm}, c = a b, written out so that they stay in registers:
 * six rows by two vectors are twelve sums, two vectors of b and one number of a, fifteen of the
 * sixteen registers of AVX2.
 */
final class RowTiles {
  private RowTiles() {}

  static void sixPair(
      float[] a,
      int a0,
      int lda,
      float[] b,
      int bAt,
      int columns,
      int terms,
      float[] c,
      int c0,
      boolean add) {
    int a1 = a0 + lda;
    int a2 = a1 + lda;
    int a3 = a2 + lda;
    int a4 = a3 + lda;
    int a5 = a4 + lda;
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
      FloatVector v0 = fromArray(SPECIES, b, bAt + k * columns);
      FloatVector v1 = fromArray(SPECIES, b, bAt + k * columns + COUNT);
      FloatVector x = broadcast(SPECIES, a[a0 + k]);
      p0 = x.fma(v0, p0);
      p1 = x.fma(v1, p1);
      x = broadcast(SPECIES, a[a1 + k]);
      q0 = x.fma(v0, q0);
      q1 = x.fma(v1, q1);
      x = broadcast(SPECIES, a[a2 + k]);
      r0 = x.fma(v0, r0);
      r1 = x.fma(v1, r1);
      x = broadcast(SPECIES, a[a3 + k]);
      s0 = x.fma(v0, s0);
      s1 = x.fma(v1, s1);
      x = broadcast(SPECIES, a[a4 + k]);
      t0 = x.fma(v0, t0);
      t1 = x.fma(v1, t1);
      x = broadcast(SPECIES, a[a5 + k]);
      u0 = x.fma(v0, u0);
      u1 = x.fma(v1, u1);
    }
    int c1 = c0 + columns;
    int c2 = c1 + columns;
    int c3 = c2 + columns;
    int c4 = c3 + columns;
    int c5 = c4 + columns;
    if (add) {
      p0 = p0.add(fromArray(SPECIES, c, c0));
      p1 = p1.add(fromArray(SPECIES, c, c0 + COUNT));
      q0 = q0.add(fromArray(SPECIES, c, c1));
      q1 = q1.add(fromArray(SPECIES, c, c1 + COUNT));
      r0 = r0.add(fromArray(SPECIES, c, c2));
      r1 = r1.add(fromArray(SPECIES, c, c2 + COUNT));
      s0 = s0.add(fromArray(SPECIES, c, c3));
      s1 = s1.add(fromArray(SPECIES, c, c3 + COUNT));
      t0 = t0.add(fromArray(SPECIES, c, c4));
      t1 = t1.add(fromArray(SPECIES, c, c4 + COUNT));
      u0 = u0.add(fromArray(SPECIES, c, c5));
      u1 = u1.add(fromArray(SPECIES, c, c5 + COUNT));
    }
    p0.intoArray(c, c0);
    p1.intoArray(c, c0 + COUNT);
    q0.intoArray(c, c1);
    q1.intoArray(c, c1 + COUNT);
    r0.intoArray(c, c2);
    r1.intoArray(c, c2 + COUNT);
    s0.intoArray(c, c3);
    s1.intoArray(c, c3 + COUNT);
    t0.intoArray(c, c4);
    t1.intoArray(c, c4 + COUNT);
    u0.intoArray(c, c5);
    u1.intoArray(c, c5 + COUNT);
  }

  static void six(
      float[] a,
      int a0,
      int lda,
      float[] b,
      int bAt,
      int columns,
      int terms,
      float[] c,
      int c0,
      boolean add) {
    int a1 = a0 + lda;
    int a2 = a1 + lda;
    int a3 = a2 + lda;
    int a4 = a3 + lda;
    int a5 = a4 + lda;
    FloatVector p0 = broadcast(SPECIES, 0);
    FloatVector q0 = broadcast(SPECIES, 0);
    FloatVector r0 = broadcast(SPECIES, 0);
    FloatVector s0 = broadcast(SPECIES, 0);
    FloatVector t0 = broadcast(SPECIES, 0);
    FloatVector u0 = broadcast(SPECIES, 0);
    for (int k = 0; k < terms; k++) {
      FloatVector v0 = fromArray(SPECIES, b, bAt + k * columns);
      FloatVector x = broadcast(SPECIES, a[a0 + k]);
      p0 = x.fma(v0, p0);
      x = broadcast(SPECIES, a[a1 + k]);
      q0 = x.fma(v0, q0);
      x = broadcast(SPECIES, a[a2 + k]);
      r0 = x.fma(v0, r0);
      x = broadcast(SPECIES, a[a3 + k]);
      s0 = x.fma(v0, s0);
      x = broadcast(SPECIES, a[a4 + k]);
      t0 = x.fma(v0, t0);
      x = broadcast(SPECIES, a[a5 + k]);
      u0 = x.fma(v0, u0);
    }
    int c1 = c0 + columns;
    int c2 = c1 + columns;
    int c3 = c2 + columns;
    int c4 = c3 + columns;
    int c5 = c4 + columns;
    if (add) {
      p0 = p0.add(fromArray(SPECIES, c, c0));
      q0 = q0.add(fromArray(SPECIES, c, c1));
      r0 = r0.add(fromArray(SPECIES, c, c2));
      s0 = s0.add(fromArray(SPECIES, c, c3));
      t0 = t0.add(fromArray(SPECIES, c, c4));
      u0 = u0.add(fromArray(SPECIES, c, c5));
    }
    p0.intoArray(c, c0);
    q0.intoArray(c, c1);
    r0.intoArray(c, c2);
    s0.intoArray(c, c3);
    t0.intoArray(c, c4);
    u0.intoArray(c, c5);
  }
}
