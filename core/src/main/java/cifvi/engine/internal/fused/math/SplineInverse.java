package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * x(y) in the bin that holds y: ξ is the root of a quadratic.
 *
 * <p>With p = (y - y_b)/h, q = 1 - p, t = d₀q - d₁p and R² = t² + 4δ²pq it is ξ = 2δp / (2δp + t +
 * R) where t ≥ 0 and (R - t) / (R - t + 2δq) elsewhere; every term is positive, nothing cancels.
 */
final class SplineInverse {
  private SplineInverse() {}

  /**
   * From the corner x_b in the row of x to x; dy/dx goes to {@code slopes}. The corner y_b lies
   * where ξ is saved otherwise.
   */
  static void evaluate(
      float[] v, int saved, int y, int x, float bound, float[] slopes, int slopeAt, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector in = fromArray(SPECIES, v, y + s);
      FloatVector inBox = SplineKernel.clamp(in, bound);
      VectorMask<Float> outside = in.compare(VectorOperators.NE, inBox);
      FloatVector width = fromArray(SPECIES, v, saved + SplineKernel.WIDTH + s);
      FloatVector height = fromArray(SPECIES, v, saved + SplineKernel.HEIGHT + s);
      FloatVector d0 = fromArray(SPECIES, v, saved + SplineKernel.D0 + s);
      FloatVector d1 = fromArray(SPECIES, v, saved + SplineKernel.D1 + s);
      FloatVector slope = height.div(width);
      FloatVector twice = slope.add(slope);
      FloatVector corner = fromArray(SPECIES, v, saved + SplineKernel.XI + s);
      FloatVector p = SplineKernel.atMostOne(inBox.sub(corner).div(height));
      FloatVector q = broadcast(SPECIES, 1).sub(p);
      FloatVector t = d0.mul(q).sub(d1.mul(p));
      FloatVector root = t.fma(t, twice.mul(p).mul(twice.mul(q))).sqrt();
      VectorMask<Float> right = t.compare(VectorOperators.LT, 0f);
      FloatVector sum = root.add(t.abs());
      FloatVector whole = sum.add(twice.mul(p.blend(q, right)));
      FloatVector xi = twice.mul(p).blend(sum, right).div(whole);
      FloatVector one = sum.blend(twice.mul(q), right).div(whole);
      FloatVector left = fromArray(SPECIES, v, x + s);
      xi.fma(width, left).blend(in, outside).intoArray(v, x + s);
      FloatVector product = xi.mul(one);
      FloatVector c = d0.add(d1).sub(twice).fma(product, slope);
      FloatVector numerator = d1.mul(xi).fma(xi, twice.fma(product, d0.mul(one).mul(one)));
      FloatVector ratio = slope.div(c);
      ratio.mul(ratio).mul(numerator).blend(1f, outside).intoArray(slopes, slopeAt + s);
    }
  }
}
