package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.math.SplineKernel.BELOW_H;
import static cifvi.engine.internal.fused.math.SplineKernel.BELOW_W;
import static cifvi.engine.internal.fused.math.SplineKernel.BIN;
import static cifvi.engine.internal.fused.math.SplineKernel.D0;
import static cifvi.engine.internal.fused.math.SplineKernel.D1;
import static cifvi.engine.internal.fused.math.SplineKernel.HEIGHT;
import static cifvi.engine.internal.fused.math.SplineKernel.SLOPE0;
import static cifvi.engine.internal.fused.math.SplineKernel.SLOPE1;
import static cifvi.engine.internal.fused.math.SplineKernel.WIDTH;
import static cifvi.engine.internal.fused.math.SplineKernel.XI;
import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Passes;
import cifvi.engine.internal.fused.memory.Tape;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * The backward pass through a {@link SplineKernel}: from gradients g_y of y and g_l of log dy/dx to
 * those of x and of the raw parameters.
 *
 * <p>With the derivatives listed there, G_ξ = g_y ∂y/∂ξ + g_l ∂l/∂ξ and so on for δ, d₀ and d₁;
 * then
 *
 * <pre>
 *   G_x = G_ξ/w,  G_{x_b} = -G_x,  G_w = -(G_δ δ + G_ξ ξ)/w,  G_{y_b} = g_y,  G_h = g_y r/h + G_δ/w
 * </pre>
 *
 * <p>and through x_b = -B + Σ_{k&lt;b} w_k, w_k = 2B(A s_k + m) and the softmax, with c = 2BA,
 *
 * <pre>
 *   G_{raw k} = s_k (c G_{x_b} [k&lt;b] + c G_w [k=b] - c (G_{x_b} Σ_{k&lt;b} s_k + G_w s_b))
 * </pre>
 *
 * <p>The same for heights. Every quantity of the bin passes through columns of scratch memory,
 * since a method with all of them at once would be too large to be compiled well.
 */
public final class SplineGradient {
  private static final int CORNER_W = 0;
  private static final int SIZE_W = STRIDE;
  private static final int CORNER_H = 2 * STRIDE;
  private static final int SIZE_H = 3 * STRIDE;
  private static final int RAW_D0 = 4 * STRIDE;
  private static final int RAW_D1 = 5 * STRIDE;

  /** Columns of scratch memory for one feature, besides the gradients of the raw parameters. */
  public static final int SCRATCH = 6;

  private final SplineKernel spline;
  private final Passes backward;

  /**
   * The backward pass of one feature.
   *
   * @param raw where {@link Tape#values} has the softmax of the sizes
   * @param saved place of what {@code spline} saved
   * @param x place of the input, with its gradient at dx
   * @param dy place of the gradient of y; that of log dy/dx is {@link Tape#dLogWeight}
   * @param dRaw where {@link Tape#scratch} gets the gradients of the raw parameters
   * @param bin place of {@link #SCRATCH} columns there
   */
  public SplineGradient(
      SplineKernel spline, int raw, int saved, int x, int dx, int dy, int dRaw, int bin) {
    this.spline = spline;
    int heights = spline.bins * STRIDE;
    float bound = spline.bound;
    backward =
        new Passes(
            t -> bin(t, saved, x, bound, dy, dx, bin),
            t -> softmax(t, raw, saved + BIN, saved + BELOW_W, bin + CORNER_W, dRaw),
            t ->
                softmax(
                    t, raw + heights, saved + BIN, saved + BELOW_H, bin + CORNER_H, dRaw + heights),
            t -> derivatives(t, saved + BIN, bin, dRaw + 2 * heights, spline.bins));
  }

  /** Adds to the gradient of x and writes those of the raw parameters. */
  public void backward(Tape tape) {
    backward.run(tape);
  }

  /** Gradients of the corner, the sizes and the raw derivatives of the bin, and of x. */
  private static void bin(Tape tape, int saved, int x, float bound, int dy, int dx, int bin) {
    float[] v = tape.values;
    float[] gradients = tape.gradients;
    float[] g = tape.scratch;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector in = fromArray(SPECIES, v, x + s);
      VectorMask<Float> outside = in.compare(VectorOperators.NE, SplineKernel.clamp(in, bound));
      FloatVector gOut = fromArray(SPECIES, gradients, dy + s);
      FloatVector gy = gOut.blend(0f, outside);
      FloatVector gl = fromArray(SPECIES, tape.dLogWeight, s).blend(0f, outside);
      FloatVector xi = fromArray(SPECIES, v, saved + XI + s);
      FloatVector h = fromArray(SPECIES, v, saved + HEIGHT + s);
      FloatVector d0 = fromArray(SPECIES, v, saved + D0 + s);
      FloatVector d1 = fromArray(SPECIES, v, saved + D1 + s);
      FloatVector perWidth = broadcast(SPECIES, 1).div(fromArray(SPECIES, v, saved + WIDTH + s));
      FloatVector slope = h.mul(perWidth);
      FloatVector one = broadcast(SPECIES, 1).sub(xi);
      FloatVector t = xi.mul(one);
      FloatVector xi2 = xi.mul(xi);
      FloatVector one2 = one.mul(one);
      FloatVector twice = slope.add(slope);
      FloatVector curvature = d0.add(d1).sub(twice);
      FloatVector perC = broadcast(SPECIES, 1).div(curvature.fma(t, slope));
      FloatVector n = slope.fma(xi2, d0.mul(t)).mul(perC); // r/h
      FloatVector r = h.mul(n);
      FloatVector p = d1.fma(xi2, twice.fma(t, d0.mul(one2)));
      FloatVector perP = broadcast(SPECIES, 1).div(p);
      FloatVector gap = one.sub(xi);
      FloatVector k = broadcast(SPECIES, 1).sub(t.add(t));
      FloatVector tc = t.mul(perC);
      FloatVector lXi = d1.mul(xi).add(slope.mul(gap)).sub(d0.mul(one)).mul(perP);
      lXi = lXi.sub(curvature.mul(gap).mul(perC));
      FloatVector gXi = gl.mul(lXi.add(lXi)).add(gy.mul(h).mul(slope).mul(p).mul(perC).mul(perC));
      FloatVector lSlope = broadcast(SPECIES, 1).div(slope).add(t.mul(perP)).sub(k.mul(perC));
      FloatVector gSlope =
          gl.mul(lSlope.add(lSlope)).add(gy.mul(h.mul(xi2).sub(r.mul(k))).mul(perC));
      FloatVector gd0 = gl.mul(one2.mul(perP).sub(tc.add(tc))).add(gy.mul(tc).mul(h.sub(r)));
      FloatVector gd1 = gl.mul(xi2.mul(perP).sub(tc.add(tc))).sub(gy.mul(tc).mul(r));
      FloatVector gx = gXi.mul(perWidth);
      fromArray(SPECIES, gradients, dx + s)
          .add(gx.blend(gOut, outside))
          .intoArray(gradients, dx + s);
      gx.neg().intoArray(g, bin + CORNER_W + s);
      gSlope.mul(slope).add(gXi.mul(xi)).mul(perWidth).neg().intoArray(g, bin + SIZE_W + s);
      gy.intoArray(g, bin + CORNER_H + s);
      gy.mul(n).add(gSlope.mul(perWidth)).intoArray(g, bin + SIZE_H + s);
      gd0.mul(fromArray(SPECIES, v, saved + SLOPE0 + s)).intoArray(g, bin + RAW_D0 + s);
      gd1.mul(fromArray(SPECIES, v, saved + SLOPE1 + s)).intoArray(g, bin + RAW_D1 + s);
    }
  }

  /**
   * From a corner and, one column on, a size of the bin to the raw sizes of one axis.
   *
   * <p>Shares of 1 are added up from those of the other bins: of a bin that has nearly the whole
   * box, 1 - s is all that its gradient is made of.
   */
  private void softmax(Tape tape, int softmax, int bin, int before, int corner, int dRaw) {
    float[] v = tape.values;
    float[] g = tape.scratch;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector index = fromArray(SPECIES, v, bin + s);
      FloatVector own = broadcast(SPECIES, 0);
      FloatVector above = broadcast(SPECIES, 0);
      for (int k = 0; k < spline.bins; k++) {
        FloatVector share = fromArray(SPECIES, v, softmax + k * STRIDE + s);
        own = own.blend(share, index.compare(VectorOperators.EQ, k));
        above = above.add(share.blend(0f, index.compare(VectorOperators.GE, k)));
      }
      FloatVector below = fromArray(SPECIES, v, before + s);
      FloatVector gCorner = fromArray(SPECIES, g, corner + s).mul(spline.scale);
      FloatVector gSize = fromArray(SPECIES, g, corner + STRIDE + s).mul(spline.scale);
      FloatVector ofCorner = gCorner.mul(below);
      FloatVector ofSize = gSize.mul(own);
      FloatVector ifBefore = gCorner.mul(own.add(above)).sub(ofSize);
      FloatVector ifOwn = gSize.mul(below.add(above)).sub(ofCorner);
      FloatVector ifAfter = ofCorner.add(ofSize).neg();
      for (int k = 0; k < spline.bins; k++) {
        FloatVector d =
            ifAfter
                .blend(ifBefore, index.compare(VectorOperators.GT, k))
                .blend(ifOwn, index.compare(VectorOperators.EQ, k));
        fromArray(SPECIES, v, softmax + k * STRIDE + s).mul(d).intoArray(g, dRaw + k * STRIDE + s);
      }
    }
  }

  /** Inner derivative k is d₁ of bin k and d₀ of bin k + 1. */
  private static void derivatives(Tape tape, int bin, int from, int dRaw, int bins) {
    float[] v = tape.values;
    float[] g = tape.scratch;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector index = fromArray(SPECIES, v, bin + s);
      FloatVector left = fromArray(SPECIES, g, from + RAW_D0 + s);
      FloatVector right = fromArray(SPECIES, g, from + RAW_D1 + s);
      for (int k = 0; k < bins - 1; k++) {
        broadcast(SPECIES, 0)
            .blend(right, index.compare(VectorOperators.EQ, k))
            .blend(left, index.compare(VectorOperators.EQ, k + 1))
            .intoArray(g, dRaw + k * STRIDE + s);
      }
    }
  }
}
