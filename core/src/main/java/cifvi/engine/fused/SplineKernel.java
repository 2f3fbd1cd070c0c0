package cifvi.engine.fused;

import static cifvi.engine.fused.Lanes.COUNT;
import static cifvi.engine.fused.Lanes.all;
import static cifvi.engine.fused.Lanes.load;
import static cifvi.engine.fused.Tape.STRIDE;

import cifvi.bijection.RationalQuadraticSpline;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * {@link RationalQuadraticSpline} for one feature of a block, both ways, and the way back of its
 * gradient.
 *
 * <p>Sizes are 2B(A s + m) with s the softmax of K raw numbers, m = 10⁻³ and A = 1 - Km; the bin b
 * of x has corner (x_b, y_b), width w, height h, slope δ = h/w and end derivatives d₀, d₁ =
 * softplus + 10⁻³. With ξ = (x - x_b)/w, T = ξ(1-ξ), c = δ + (d₀+d₁-2δ)T and p = d₁ξ² + 2δT +
 * d₀(1-ξ)²
 *
 * <pre>
 *   y = y_b + r, r = h(δξ² + d₀T)/c       l = log dy/dx = log(δ² p / c²)
 *   ∂y/∂ξ  = hδp/c²                       ∂l/∂ξ  = 2(d₁ξ + δ(1-2ξ) - d₀(1-ξ))/p - 2(d₀+d₁-2δ)(1-2ξ)/c
 *   ∂y/∂δ  = (hξ² - (1-2T)r)/c            ∂l/∂δ  = 2/δ + 2T/p - 2(1-2T)/c
 *   ∂y/∂d₀ = T(h - r)/c                   ∂l/∂d₀ = (1-ξ)²/p - 2T/c
 *   ∂y/∂d₁ = -T r/c                       ∂l/∂d₁ = ξ²/p - 2T/c
 * </pre>
 *
 * <p>Outside [-B, B] the map is the identity: x is clamped for the formulas, and the identity put
 * back after them. {@link SplineGradient} goes on from the bin to the raw parameters.
 */
final class SplineKernel {
  // What is kept of a feature, in columns of a block.
  static final int XI = 0; // before: corner of the axis that was searched
  static final int WIDTH = STRIDE;
  static final int HEIGHT = 2 * STRIDE;
  static final int D0 = 3 * STRIDE;
  static final int D1 = 4 * STRIDE;
  static final int SLOPE0 = 5 * STRIDE; // dd₀/draw
  static final int SLOPE1 = 6 * STRIDE;
  static final int BIN = 7 * STRIDE;
  static final int BELOW_W = 8 * STRIDE; // Σ s of the bins before b
  static final int BELOW_H = 9 * STRIDE;
  static final int KEPT = 10;

  private static final double MIN_SIZE = 1e-3;
  private static final float MIN_DERIVATIVE = 1e-3f;
  private static final float RAW_ONE = (float) Math.log(Math.expm1(1 - 1e-3));

  private final int bins;
  private final float bound;
  private final float scale; // 2BA
  private final float least; // 2Bm

  SplineKernel(RationalQuadraticSpline spline) {
    bins = spline.bins();
    bound = (float) spline.bound();
    scale = (float) (2 * spline.bound() * (1 - bins * MIN_SIZE));
    least = (float) (2 * spline.bound() * MIN_SIZE);
  }

  int bins() {
    return bins;
  }

  float bound() {
    return bound;
  }

  /** 2BA, the derivative of a size in its softmax. */
  float scale() {
    return scale;
  }

  /** 2Bm, the smallest size. */
  float least() {
    return least;
  }

  /**
   * Writes y(x) and adds log dy/dx to {@code log}.
   *
   * @param raw place of the raw parameters, of which the sizes are overwritten by their softmax
   * @param kept place of {@link #KEPT} columns
   */
  void forward(float[] v, int raw, int kept, int x, int y, float[] log, int logAt, int rows) {
    int heights = raw + bins * STRIDE;
    Softmax.run(v, raw, bins, rows);
    Softmax.run(v, heights, bins, rows);
    locate(v, x, raw, kept + XI, kept + WIDTH, kept + BIN, rows);
    pick(v, heights, kept + BIN, y, kept + HEIGHT, kept + BELOW_H, rows);
    below(v, kept + XI, kept + BIN, kept + BELOW_W, rows);
    derivatives(v, heights + bins * STRIDE, kept, rows);
    evaluate(v, kept, x, y, bound, log, logAt, rows);
  }

  /** Writes x(y) and adds log dx/dy to {@code log}. */
  void inverse(float[] v, int raw, int kept, int y, int x, float[] log, int logAt, int rows) {
    int heights = raw + bins * STRIDE;
    Softmax.run(v, raw, bins, rows);
    Softmax.run(v, heights, bins, rows);
    locate(v, y, heights, kept + XI, kept + HEIGHT, kept + BIN, rows);
    pick(v, raw, kept + BIN, x, kept + WIDTH, kept + BELOW_W, rows);
    derivatives(v, heights + bins * STRIDE, kept, rows);
    SplineInverse.evaluate(v, kept, y, x, bound, log, logAt, rows);
  }

  /** The bin whose interval, on the axis of the given sizes, holds v; its corner and its size. */
  private void locate(float[] v, int in, int sizes, int corner, int size, int bin, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector x = clamp(load(v, in + s), bound);
      FloatVector width = load(v, sizes + s).fma(all(scale), all(least));
      FloatVector knot = width.sub(bound);
      FloatVector left = all(-bound);
      FloatVector index = all(0);
      for (int k = 1; k < bins; k++) {
        VectorMask<Float> right = x.compare(VectorOperators.GE, knot);
        FloatVector next = load(v, sizes + k * STRIDE + s).fma(all(scale), all(least));
        left = left.blend(knot, right);
        width = width.blend(next, right);
        index = index.blend(k, right);
        knot = knot.add(next);
      }
      left.intoArray(v, corner + s);
      width.intoArray(v, size + s);
      index.intoArray(v, bin + s);
    }
  }

  /** Corner and size of a known bin on the other axis, and the softmax of the bins before it. */
  private void pick(float[] v, int sizes, int bin, int corner, int size, int below, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector index = load(v, bin + s);
      FloatVector sum = all(0);
      FloatVector chosen = load(v, sizes + s);
      for (int k = 1; k < bins; k++) {
        VectorMask<Float> right = index.compare(VectorOperators.GE, k);
        FloatVector before = load(v, sizes + (k - 1) * STRIDE + s);
        sum = sum.add(all(0).blend(before, right));
        chosen = chosen.blend(load(v, sizes + k * STRIDE + s), right);
      }
      sum.intoArray(v, below + s);
      sum.fma(all(scale), index.fma(all(least), all(-bound))).intoArray(v, corner + s);
      chosen.fma(all(scale), all(least)).intoArray(v, size + s);
    }
  }

  /** Σ s of the bins before b, from the corner -B + 2BA Σ s + 2Bm b. */
  private void below(float[] v, int corner, int bin, int below, int rows) {
    FloatVector inverse = all(1 / scale);
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector rest = load(v, bin + s).fma(all(-least), load(v, corner + s).add(bound));
      rest.mul(inverse).intoArray(v, below + s);
    }
  }

  /** d₀ and d₁ of the bin, and their derivatives in the raw numbers; 1 at the ends of the box. */
  private void derivatives(float[] v, int raw, int kept, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector index = load(v, kept + BIN + s);
      FloatVector left = all(RAW_ONE);
      FloatVector right = all(RAW_ONE);
      for (int k = 0; k < bins - 1; k++) {
        FloatVector inner = load(v, raw + k * STRIDE + s);
        right = right.blend(inner, index.compare(VectorOperators.EQ, k));
        left = left.blend(inner, index.compare(VectorOperators.EQ, k + 1));
      }
      left.intoArray(v, kept + D0 + s);
      right.intoArray(v, kept + D1 + s);
    }
    softplus(v, kept + D0, kept + SLOPE0, rows);
    softplus(v, kept + D1, kept + SLOPE1, rows);
  }

  /**
   * softplus(x) + 10⁻³ = max(x, 0) + ln(1 + e^{-|x|}) + 10⁻³ in place, its derivative beside it.
   */
  private static void softplus(float[] v, int at, int slope, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector x = load(v, at + s);
      VectorMask<Float> negative = x.compare(VectorOperators.LT, 0f);
      FloatVector e = FloatMath.exp(x.abs().neg());
      all(1).blend(e, negative).div(e.add(1f)).intoArray(v, slope + s);
      x.blend(0f, negative).add(FloatMath.log1p(e)).add(MIN_DERIVATIVE).intoArray(v, at + s);
    }
  }

  static FloatVector clamp(FloatVector x, float bound) {
    return x.blend(bound, x.compare(VectorOperators.GT, bound))
        .blend(-bound, x.compare(VectorOperators.LT, -bound));
  }

  /** Takes back what rounding of the knots may have put above the right end of the bin. */
  static FloatVector atMostOne(FloatVector xi) {
    return xi.blend(1f, xi.compare(VectorOperators.GT, 1f));
  }

  /** From the corner in the row of y to y. */
  private static void evaluate(
      float[] v, int kept, int x, int y, float bound, float[] log, int logAt, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector in = load(v, x + s);
      FloatVector inBox = clamp(in, bound);
      VectorMask<Float> outside = in.compare(VectorOperators.NE, inBox);
      FloatVector height = load(v, kept + HEIGHT + s);
      FloatVector d0 = load(v, kept + D0 + s);
      FloatVector d1 = load(v, kept + D1 + s);
      FloatVector inverse = all(1).div(load(v, kept + WIDTH + s));
      FloatVector slope = height.mul(inverse);
      FloatVector xi = atMostOne(inBox.sub(load(v, kept + XI + s)).mul(inverse));
      FloatVector one = all(1).sub(xi);
      FloatVector t = xi.mul(one);
      FloatVector twice = slope.add(slope);
      FloatVector c = d0.add(d1).sub(twice).fma(t, slope);
      FloatVector n = slope.mul(xi).fma(xi, d0.mul(t));
      FloatVector p = d1.mul(xi).fma(xi, twice.fma(t, d0.mul(one).mul(one)));
      FloatVector ratio = slope.div(c);
      FloatVector l = FloatMath.log(ratio.mul(ratio).mul(p)).blend(0f, outside);
      load(v, y + s).add(height.mul(n).div(c)).blend(in, outside).intoArray(v, y + s);
      load(log, logAt + s).add(l).intoArray(log, logAt + s);
      xi.intoArray(v, kept + XI + s);
    }
  }
}
