package cifvi.bijection;

import cifvi.tensor.Scalars;
import cifvi.tensor.Scope;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * y = y_k + h (δ ξ² + d_k ξ(1-ξ)) / (δ + (d_k + d_{k+1} - 2δ) ξ(1-ξ)), with ξ = (x - x_k) / width
 * in the bin k of x, of height h and slope δ = h / width: the monotone rational-quadratic spline on
 * [-B, B] with the identity outside (Durkan et al., <i>Neural spline flows</i>, 2019), as a pure
 * function of its raw parameters.
 *
 * <p>Shapes: x {@code [...]}; raw {@code [..., 3K-1]}, for each x the K widths, K heights and K-1
 * inner derivatives before softmax and softplus, or one row of them for all x. Inputs are clamped
 * to the box <i>before</i> the formula and the identity is put back after it, so that neither a
 * value nor a gradient outside can become NaN.
 */
public final class RationalQuadraticSpline {
  /** The least part of the box that a bin has, in width and in height. */
  public static final double MIN_SIZE = 1e-3;

  /** Added to the softplus that gives a derivative. */
  public static final double MIN_DERIVATIVE = 1e-3;

  /** The raw value that makes the derivative at ±B exactly 1. */
  public static final double RAW_ONE = Math.log(Math.expm1(1 - MIN_DERIVATIVE));

  private static final int X = 0;
  private static final int Y = 1;

  private static final ScalarTypeOptional SAME_TYPE = Scope.keep(new ScalarTypeOptional());

  private final int bins;
  private final double bound;

  public RationalQuadraticSpline(int bins, double bound) {
    if (bins < 1 || bins * MIN_SIZE >= 1) {
      throw new IllegalArgumentException("bins: expected 1 to 999, got " + bins);
    }
    if (!(bound > 0) || Double.isInfinite(bound)) {
      throw new IllegalArgumentException("tail bound: expected a positive number, got " + bound);
    }
    this.bins = bins;
    this.bound = bound;
  }

  /** Number of raw parameters of one spline. */
  public int rawSize() {
    return 3 * bins - 1;
  }

  public int bins() {
    return bins;
  }

  public double bound() {
    return bound;
  }

  /** y(x) and log dy/dx, element by element. */
  public Mapped forward(Tensor x, Tensor raw) {
    Tensor inBox = clamp(x);
    Bin bin = locate(inBox, raw, X);
    Tensor xi = inBox.sub(bin.xk).div(bin.width);
    Tensor one = xi.neg().add(Scalars.of(1));
    Tensor xiOne = xi.mul(one);
    Tensor denominator = bin.denominator(xiOne);
    Tensor numerator = bin.slope.mul(xi).mul(xi).add(bin.d0.mul(xiOne)).mul(bin.height);
    Tensor y = bin.yk.add(numerator.div(denominator));
    return outsideIdentity(x, inBox, y, bin.logDerivative(xi, one, xiOne, denominator));
  }

  /**
   * x(y) and log dx/dy, element by element: the root ξ of a quadratic.
   *
   * <p>With p = (y - y_k)/height, q = 1 - p, t = d_k q - d_{k+1} p and R² = t² + 4δ²pq the root is
   * ξ = 2δp / (2δp + t + R); where t &lt; 0, t + R = 4δ²pq / (R - t), so that ξ = (R - t) / (R - t
   * + 2δq). Every term is positive and nothing cancels: ξ and 1 - ξ stay in [0, 1].
   */
  public Mapped inverse(Tensor y, Tensor raw) {
    Tensor inBox = clamp(y);
    Bin bin = locate(inBox, raw, Y);
    Tensor p = inBox.sub(bin.yk).div(bin.height);
    Tensor q = p.neg().add(Scalars.of(1));
    Tensor t = bin.d0.mul(q).sub(bin.d1.mul(p));
    Tensor deltaP = bin.slope.mul(p).mul(Scalars.of(2));
    Tensor deltaQ = bin.slope.mul(q).mul(Scalars.of(2));
    Tensor root = t.mul(t).add(deltaP.mul(deltaQ)).sqrt();
    Tensor left = t.ge(Scalars.of(0));
    Tensor sum = root.add(torch.where(left, t, t.neg()));
    Tensor whole = sum.add(torch.where(left, deltaP, deltaQ));
    Tensor xi = torch.where(left, deltaP, sum).div(whole);
    Tensor one = torch.where(left, sum, deltaQ).div(whole);
    Tensor xiOne = xi.mul(one);
    Tensor x = xi.mul(bin.width).add(bin.xk);
    Tensor logDerivative = bin.logDerivative(xi, one, xiOne, bin.denominator(xiOne)).neg();
    return outsideIdentity(y, inBox, x, logDerivative);
  }

  private Tensor clamp(Tensor x) {
    return torch.clamp(x, Scalars.optional(-bound), Scalars.optional(bound));
  }

  private static Mapped outsideIdentity(Tensor x, Tensor inBox, Tensor y, Tensor logDerivative) {
    Tensor inside = inBox.eq(x);
    return new Mapped(torch.where(inside, y, x), torch.where(inside, logDerivative, Scalars.of(0)));
  }

  /**
   * The bin an input falls into: corner (x_k, y_k), width, height, slope δ = height/width,
   * derivatives at both ends.
   */
  private record Bin(
      Tensor xk, Tensor yk, Tensor width, Tensor height, Tensor slope, Tensor d0, Tensor d1) {
    /** d_k + d_{k+1} - 2δ. */
    Tensor curvature() {
      return d0.add(d1).sub(slope, Scalars.of(2));
    }

    /** δ + (d_k + d_{k+1} - 2δ) ξ(1-ξ). */
    Tensor denominator(Tensor xiOne) {
      return slope.add(curvature().mul(xiOne));
    }

    /**
     * log[δ² (d_{k+1} ξ² + 2δ ξ(1-ξ) + d_k (1-ξ)²)] - 2 log denominator; every term of the sum is
     * positive.
     */
    Tensor logDerivative(Tensor xi, Tensor one, Tensor xiOne, Tensor denominator) {
      Tensor sum =
          d1.mul(xi).mul(xi).add(slope.mul(xiOne), Scalars.of(2)).add(d0.mul(one).mul(one));
      return slope.mul(slope).mul(sum).log().sub(denominator.log(), Scalars.of(2));
    }
  }

  /** Builds the knots and finds the bin of {@code v}, which lies on the given axis. */
  private Bin locate(Tensor v, Tensor raw, int axis) {
    Tensor knots = knots(raw.narrow(-1, 0, 2L * bins).unflatten(-1, 2, bins)); // [..., 2, K+1]
    Tensor derivatives = derivatives(raw.narrow(-1, 2L * bins, bins - 1L)); // [..., K+1]
    if (raw.size(0) != v.size(0)) { // one spline for all
      knots = knots.expand(longer(v.shape(), 2, bins + 1L));
      derivatives = derivatives.expand(longer(v.shape(), bins + 1L));
    }
    Tensor left = knots.narrow(-1, 0, bins);
    Tensor inner = knots.select(-2, axis).narrow(-1, 1, bins - 1L);
    Tensor k = v.unsqueeze(-1).ge(inner).sum(new long[] {-1}, true, SAME_TYPE); // [..., 1]
    Tensor both = k.unsqueeze(-2).expand(pair(k.shape())); // [..., 2, 1]
    Tensor corner = left.gather(-1, both).squeeze(-1);
    Tensor size = knots.narrow(-1, 1, bins).sub(left).gather(-1, both).squeeze(-1);
    Tensor width = size.select(-1, X);
    Tensor height = size.select(-1, Y);
    return new Bin(
        corner.select(-1, X),
        corner.select(-1, Y),
        width,
        height,
        height.div(width),
        derivatives.narrow(-1, 0, bins).gather(-1, k).squeeze(-1),
        derivatives.narrow(-1, 1, bins).gather(-1, k).squeeze(-1));
  }

  /**
   * From raw sizes {@code [..., 2, K]}: cumulated softmax on [-B, B], the outer knots exactly ±B.
   */
  private Tensor knots(Tensor rawSizes) {
    Tensor sizes =
        torch.softmax(rawSizes, -1).mul(Scalars.of(1 - bins * MIN_SIZE)).add(Scalars.of(MIN_SIZE));
    Tensor inner = torch.cumsum(sizes, -1).narrow(-1, 0, bins - 1L);
    Tensor scaled = inner.mul(Scalars.of(2 * bound)).sub(Scalars.of(bound));
    Tensor fromLeft = torch.constant_pad_nd(scaled, new long[] {1, 0}, Scalars.of(-bound));
    return torch.constant_pad_nd(fromLeft, new long[] {0, 1}, Scalars.of(bound));
  }

  /**
   * From raw inner derivatives {@code [..., K-1]}; 1 at both ends, to match the identity outside.
   */
  private Tensor derivatives(Tensor raw) {
    Tensor padded = torch.constant_pad_nd(raw, new long[] {1, 1}, Scalars.of(RAW_ONE));
    return torch.softplus(padded).add(Scalars.of(MIN_DERIVATIVE));
  }

  private static long[] longer(long[] shape, long... more) {
    return LongStream.concat(LongStream.of(shape), LongStream.of(more)).toArray();
  }

  private static long[] pair(long[] shape) {
    long[] pair = java.util.Arrays.copyOf(shape, shape.length + 1);
    pair[shape.length - 1] = 2;
    pair[shape.length] = 1;
    return pair;
  }
}
