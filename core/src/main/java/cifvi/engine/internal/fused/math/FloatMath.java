package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static jdk.incubator.vector.FloatVector.broadcast;

import cifvi.engine.internal.fused.memory.Lanes;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Elementary functions of eight numbers, to about 2 units in the last place, from operations whose
 * bits do not depend on how the code runs (those of {@code lanewise(EXP)} and the like do).
 *
 * <p>Polynomials on reduced arguments: exp on [-½ ln 2, ½ ln 2], log on [√½, √2], tanh on [0,
 * 0.625].
 */
public final class FloatMath {
  private static final float LOG2_E = 1.442695f;
  private static final float LN2_HIGH = 0x1.63p-1f; // few digits: its products are exact
  private static final float LN2_LOW = (float) (Math.log(2) - 0x1.63p-1); // ln 2 - LN2_HIGH
  private static final float ROUND = 0x1.8p23f; // adding it leaves an integer in the low bits
  private static final float EXP_MAX = 88.72f;
  private static final float EXP_MIN = -87.33f;
  private static final int MANTISSA_BITS = 23;
  private static final int MANTISSA = (1 << MANTISSA_BITS) - 1;
  private static final int SQRT_HALF = 0x3f3504f3;
  private static final float TANH_SMALL = 0.625f;

  private FloatMath() {}

  /** e^x = 2^n e^r with n = round(x / ln 2); 0 and infinity where float32 ends, NaN for NaN. */
  public static FloatVector exp(FloatVector x) {
    FloatVector shifted = x.fma(broadcast(SPECIES, LOG2_E), broadcast(SPECIES, ROUND));
    FloatVector n = shifted.sub(ROUND);
    FloatVector r = n.fma(broadcast(SPECIES, -LN2_LOW), n.fma(broadcast(SPECIES, -LN2_HIGH), x));
    FloatVector p = broadcast(SPECIES, 1.9790043e-4f);
    p = p.fma(r, broadcast(SPECIES, 1.3944966e-3f));
    p = p.fma(r, broadcast(SPECIES, 8.333499e-3f));
    p = p.fma(r, broadcast(SPECIES, 4.166629e-2f));
    p = p.fma(r, broadcast(SPECIES, 0.16666666f));
    p = p.fma(r, broadcast(SPECIES, 0.5f));
    p = p.fma(r.mul(r), r).add(1f);
    IntVector exponent = shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS);
    return p.reinterpretAsInts()
        .add(exponent)
        .reinterpretAsFloats()
        .blend(0f, x.compare(VectorOperators.LT, EXP_MIN))
        .blend(Float.POSITIVE_INFINITY, x.compare(VectorOperators.GT, EXP_MAX));
  }

  /** ln x = e ln 2 + ln m for x = 2^e m, a normal positive number; NaN for infinity and NaN. */
  public static FloatVector log(FloatVector x) {
    IntVector bits = x.reinterpretAsInts().sub(SQRT_HALF);
    FloatVector e =
        (FloatVector)
            bits.lanewise(VectorOperators.ASHR, MANTISSA_BITS).convert(VectorOperators.I2F, 0);
    FloatVector m = bits.and(MANTISSA).add(SQRT_HALF).reinterpretAsFloats().sub(1f);
    FloatVector p = broadcast(SPECIES, 0.06746601f);
    p = p.fma(m, broadcast(SPECIES, -0.11675641f));
    p = p.fma(m, broadcast(SPECIES, 0.11888175f));
    p = p.fma(m, broadcast(SPECIES, -0.124055915f));
    p = p.fma(m, broadcast(SPECIES, 0.14219551f));
    p = p.fma(m, broadcast(SPECIES, -0.16667996f));
    p = p.fma(m, broadcast(SPECIES, 0.20002119f));
    p = p.fma(m, broadcast(SPECIES, -0.2500001f));
    p = p.fma(m, broadcast(SPECIES, 0.33333313f));
    FloatVector square = m.mul(m);
    FloatVector y = p.mul(m).mul(square);
    y = e.fma(broadcast(SPECIES, LN2_LOW), y);
    y = square.fma(broadcast(SPECIES, -0.5f), y);
    return e.fma(broadcast(SPECIES, LN2_HIGH), m.add(y)).add(x.sub(x));
  }

  /** tanh x: an odd polynomial for small |x|, 1 - 2 / (e^{2|x|} + 1) with the sign of x beyond. */
  static FloatVector tanh(FloatVector x) {
    FloatVector square = x.mul(x);
    FloatVector p = broadcast(SPECIES, -5.681279e-3f);
    p = p.fma(square, broadcast(SPECIES, 0.020618621f));
    p = p.fma(square, broadcast(SPECIES, -0.053733695f));
    p = p.fma(square, broadcast(SPECIES, 0.13331373f));
    p = p.fma(square, broadcast(SPECIES, -0.3333328f));
    FloatVector small = p.mul(square).fma(x, x);
    FloatVector size = x.abs();
    FloatVector large =
        broadcast(SPECIES, 1f).sub(broadcast(SPECIES, 2f).div(exp(size.add(size)).add(1f)));
    FloatVector signed = large.blend(large.neg(), x.compare(VectorOperators.LT, 0f));
    return signed.blend(small, size.compare(VectorOperators.LT, TANH_SMALL));
  }

  /** ln(1 + e) for e in [0, 1]: the logarithm of the rounded sum and what the rounding lost. */
  static FloatVector log1p(FloatVector e) {
    FloatVector sum = e.add(1f);
    return log(sum).sub(sum.sub(1f).sub(e).div(sum));
  }

  /** arsinh x = ± ln(|x| + √(x² + 1)), to some 10⁻⁷. */
  public static FloatVector asinh(FloatVector x) {
    FloatVector size = x.abs();
    FloatVector y = log(size.add(x.fma(x, broadcast(SPECIES, 1f)).sqrt()));
    return y.blend(y.neg(), x.compare(VectorOperators.LT, 0f));
  }

  /** sinh x = (e^x - e^{-x}) / 2, to some 10⁻⁷ of cosh x. */
  public static FloatVector sinh(FloatVector x) {
    FloatVector e = exp(x);
    return e.sub(broadcast(SPECIES, 1f).div(e)).mul(0.5f);
  }

  /** max(x, 0) without the care Java takes of -0. */
  public static FloatVector relu(FloatVector x) {
    return x.blend(0f, x.compare(VectorOperators.LT, 0f));
  }

  /**
   * Adds ± ln of a row to another. A loop of its own: where {@link #log} is called rarely it is not
   * inlined, and its argument becomes an object.
   */
  public static void addLog(float[] v, int to, int from, float sign, int rows) {
    for (int s = 0; s < rows; s += Lanes.COUNT) {
      FloatVector l = log(FloatVector.fromArray(SPECIES, v, from + s));
      l.fma(broadcast(SPECIES, sign), FloatVector.fromArray(SPECIES, v, to + s))
          .intoArray(v, to + s);
    }
  }
}
