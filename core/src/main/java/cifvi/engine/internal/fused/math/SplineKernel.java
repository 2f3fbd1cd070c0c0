package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.bijection.RationalQuadraticSpline;
import cifvi.engine.internal.fused.memory.Passes;
import cifvi.engine.internal.fused.memory.Tape;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * {@link RationalQuadraticSpline} for one feature of a block, forward and inverse, and what its
 * gradient needs.
 *
 * <p>Sizes are 2B(A s + m) with s the softmax of K raw numbers, m the least size and A = 1 - Km;
 * the bin b of x has corner (x_b, y_b), width w, height h, slope δ = h/w and end derivatives d₀, d₁
 * = softplus + least derivative. With ξ = (x - x_b)/w, T = ξ(1-ξ), c = δ + (d₀+d₁-2δ)T and p = d₁ξ²
 * + 2δT + d₀(1-ξ)²
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
public final class SplineKernel {
  // What is saved of a feature, in columns of a block.
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
  public static final int SAVED = 10;

  private static final float MIN_DERIVATIVE = (float) RationalQuadraticSpline.MIN_DERIVATIVE;
  private static final float RAW_ONE = (float) RationalQuadraticSpline.RAW_ONE;

  final int bins;
  final float bound;
  final float scale; // 2BA, the derivative of a size in its softmax
  private final float least; // 2Bm
  private final Passes forward;
  private final Passes inverse;

  /**
   * The spline of one feature.
   *
   * @param raw place of the raw parameters, of which the sizes are overwritten by their softmax
   * @param saved place of {@link #SAVED} columns
   * @param x place of the input
   * @param y place of the output
   * @param log place in scratch memory of a row to add the log-derivative to, and of one to use
   * @param same whether all rows have the same raw parameters
   */
  public SplineKernel(
      RationalQuadraticSpline spline, int raw, int saved, int x, int y, int log, boolean same) {
    bins = spline.bins();
    bound = (float) spline.bound();
    scale = (float) (2 * spline.bound() * (1 - bins * RationalQuadraticSpline.MIN_SIZE));
    least = (float) (2 * spline.bound() * RationalQuadraticSpline.MIN_SIZE);
    int heights = raw + bins * STRIDE;
    int derivatives = heights + bins * STRIDE;
    int argument = log + STRIDE;
    Passes.Pass softmax = softmax(raw, same);
    Passes.Pass softmaxHeights = softmax(heights, same);
    Passes.Pass ends = t -> derivatives(t.values, derivatives, saved, t.padded);
    Passes.Pass left = t -> softplus(t.values, saved + D0, saved + SLOPE0, t.padded);
    Passes.Pass right = t -> softplus(t.values, saved + D1, saved + SLOPE1, t.padded);
    forward =
        new Passes(
            softmax,
            softmaxHeights,
            t -> locate(t.values, x, raw, saved, WIDTH, BELOW_W, t.padded),
            t -> pick(t.values, heights, saved + BIN, y, saved + HEIGHT, saved + BELOW_H, t.padded),
            ends,
            left,
            right,
            t -> evaluate(t.values, saved, x, y, bound, t.scratch, argument, t.padded),
            t -> FloatMath.addLog(t.scratch, log, argument, 1, t.padded));
    inverse =
        new Passes(
            softmax,
            softmaxHeights,
            t -> locate(t.values, y, heights, saved, HEIGHT, BELOW_H, t.padded),
            t -> pick(t.values, raw, saved + BIN, x, saved + WIDTH, saved + BELOW_W, t.padded),
            ends,
            left,
            right,
            t ->
                SplineInverse.evaluate(t.values, saved, y, x, bound, t.scratch, argument, t.padded),
            t -> FloatMath.addLog(t.scratch, log, argument, -1, t.padded));
  }

  private Passes.Pass softmax(int sizes, boolean same) {
    return same
        ? t -> Softmax.runOnce(t.values, sizes, bins, t.padded)
        : t -> Softmax.run(t.values, sizes, bins, t.padded);
  }

  /** Writes y(x) and adds log dy/dx. */
  public void forward(Tape tape) {
    forward.run(tape);
  }

  /** Writes x(y) and adds log dx/dy. */
  public void inverse(Tape tape) {
    inverse.run(tape);
  }

  /**
   * The bin whose interval, on the axis of the given sizes, holds v; its corner, its size and the
   * softmax of the bins before it. That sum is saved, since the corner less -B and the least sizes
   * is only as exact as numbers of the size of the box are: where all bins before are narrow, not
   * at all, and the gradients of narrow bins are large.
   */
  private void locate(float[] v, int in, int sizes, int saved, int size, int before, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector x = clamp(fromArray(SPECIES, v, in + s), bound);
      FloatVector sum = fromArray(SPECIES, v, sizes + s);
      FloatVector width = sum.fma(broadcast(SPECIES, scale), broadcast(SPECIES, least));
      FloatVector knot = width.sub(bound);
      FloatVector left = broadcast(SPECIES, -bound);
      FloatVector below = broadcast(SPECIES, 0);
      FloatVector index = broadcast(SPECIES, 0);
      for (int k = 1; k < bins; k++) {
        VectorMask<Float> right = x.compare(VectorOperators.GE, knot);
        FloatVector softmax = fromArray(SPECIES, v, sizes + k * STRIDE + s);
        FloatVector next = softmax.fma(broadcast(SPECIES, scale), broadcast(SPECIES, least));
        left = left.blend(knot, right);
        below = below.blend(sum, right);
        width = width.blend(next, right);
        index = index.blend(k, right);
        sum = sum.add(softmax);
        knot = sum.fma(broadcast(SPECIES, scale), broadcast(SPECIES, (k + 1) * least - bound));
      }
      left.intoArray(v, saved + XI + s);
      width.intoArray(v, saved + size + s);
      below.intoArray(v, saved + before + s);
      index.intoArray(v, saved + BIN + s);
    }
  }

  /** Corner and size of a known bin on the other axis, and the softmax of the bins before it. */
  private void pick(float[] v, int sizes, int bin, int corner, int size, int below, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector index = fromArray(SPECIES, v, bin + s);
      FloatVector sum = broadcast(SPECIES, 0);
      FloatVector chosen = fromArray(SPECIES, v, sizes + s);
      for (int k = 1; k < bins; k++) {
        VectorMask<Float> right = index.compare(VectorOperators.GE, k);
        FloatVector before = fromArray(SPECIES, v, sizes + (k - 1) * STRIDE + s);
        sum = sum.add(broadcast(SPECIES, 0).blend(before, right));
        chosen = chosen.blend(fromArray(SPECIES, v, sizes + k * STRIDE + s), right);
      }
      sum.intoArray(v, below + s);
      sum.fma(
              broadcast(SPECIES, scale),
              index.fma(broadcast(SPECIES, least), broadcast(SPECIES, -bound)))
          .intoArray(v, corner + s);
      chosen.fma(broadcast(SPECIES, scale), broadcast(SPECIES, least)).intoArray(v, size + s);
    }
  }

  /** The raw numbers of d₀ and d₁ of the bin; those of 1 at the ends of the box. */
  private void derivatives(float[] v, int raw, int saved, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector index = fromArray(SPECIES, v, saved + BIN + s);
      FloatVector left = broadcast(SPECIES, RAW_ONE);
      FloatVector right = broadcast(SPECIES, RAW_ONE);
      for (int k = 0; k < bins - 1; k++) {
        FloatVector inner = fromArray(SPECIES, v, raw + k * STRIDE + s);
        right = right.blend(inner, index.compare(VectorOperators.EQ, k));
        left = left.blend(inner, index.compare(VectorOperators.EQ, k + 1));
      }
      left.intoArray(v, saved + D0 + s);
      right.intoArray(v, saved + D1 + s);
    }
  }

  /**
   * softplus(x) + m = max(x, 0) + ln(1 + e^{-|x|}) + m in place, m the least derivative; its slope
   * beside it.
   */
  private static void softplus(float[] v, int at, int slope, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector x = fromArray(SPECIES, v, at + s);
      VectorMask<Float> negative = x.compare(VectorOperators.LT, 0f);
      FloatVector e = FloatMath.exp(x.abs().neg());
      broadcast(SPECIES, 1).blend(e, negative).div(e.add(1f)).intoArray(v, slope + s);
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

  /** From the corner in the row of y to y; dy/dx goes to {@code slopes}. */
  private static void evaluate(
      float[] v, int saved, int x, int y, float bound, float[] slopes, int slopeAt, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector in = fromArray(SPECIES, v, x + s);
      FloatVector inBox = clamp(in, bound);
      VectorMask<Float> outside = in.compare(VectorOperators.NE, inBox);
      FloatVector height = fromArray(SPECIES, v, saved + HEIGHT + s);
      FloatVector d0 = fromArray(SPECIES, v, saved + D0 + s);
      FloatVector d1 = fromArray(SPECIES, v, saved + D1 + s);
      FloatVector width = fromArray(SPECIES, v, saved + WIDTH + s);
      FloatVector slope = height.div(width);
      FloatVector xi = atMostOne(inBox.sub(fromArray(SPECIES, v, saved + XI + s)).div(width));
      FloatVector one = broadcast(SPECIES, 1).sub(xi);
      FloatVector t = xi.mul(one);
      FloatVector twice = slope.add(slope);
      FloatVector c = d0.add(d1).sub(twice).fma(t, slope);
      FloatVector n = slope.mul(xi).fma(xi, d0.mul(t));
      FloatVector p = d1.mul(xi).fma(xi, twice.fma(t, d0.mul(one).mul(one)));
      FloatVector ratio = slope.div(c);
      ratio.mul(ratio).mul(p).blend(1f, outside).intoArray(slopes, slopeAt + s);
      fromArray(SPECIES, v, y + s).add(height.mul(n).div(c)).blend(in, outside).intoArray(v, y + s);
      xi.intoArray(v, saved + XI + s);
    }
  }
}
