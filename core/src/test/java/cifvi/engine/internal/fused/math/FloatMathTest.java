package cifvi.engine.internal.fused.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.engine.internal.fused.memory.Lanes;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;

/** The elementary functions against those of {@link Math} in double precision. */
class FloatMathTest {
  private static float apply(UnaryOperator<FloatVector> f, float x) {
    return f.apply(FloatVector.broadcast(Lanes.SPECIES, x)).lane(0);
  }

  /** The largest error over many points, in units of the last place of the exact value. */
  private static double ulps(
      UnaryOperator<FloatVector> f, DoubleUnaryOperator exact, double from, double to) {
    double worst = 0;
    for (int i = 0; i <= 20_000; i++) {
      float x = (float) (from + (to - from) * i / 20_000);
      double y = exact.applyAsDouble(x);
      worst = Math.max(worst, Math.abs(apply(f, x) - y) / Math.ulp((float) y));
    }
    return worst;
  }

  @Test
  void exp() {
    assertThat(ulps(FloatMath::exp, Math::exp, -87, 88)).isLessThan(2);
    assertThat(ulps(FloatMath::exp, Math::exp, -1, 1)).isLessThan(2);
    assertThat(apply(FloatMath::exp, 0)).isEqualTo(1);
    assertThat(apply(FloatMath::exp, 89)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(apply(FloatMath::exp, -1e4f)).isZero();
    assertThat(apply(FloatMath::exp, Float.NEGATIVE_INFINITY)).isZero();
    assertThat(apply(FloatMath::exp, Float.NaN)).isNaN();
  }

  @Test
  void log() {
    assertThat(ulps(FloatMath::log, Math::log, 1e-4, 0.9)).isLessThan(2);
    assertThat(ulps(FloatMath::log, Math::log, 1.1, 1e6)).isLessThan(2);
    assertThat(ulps(FloatMath::log, Math::log, 0.99, 1.01)).isLessThan(2);
    assertThat(apply(FloatMath::log, 1)).isZero();
    assertThat(apply(FloatMath::log, Float.NaN)).isNaN();
  }

  @Test
  void tanh() {
    assertThat(ulps(FloatMath::tanh, Math::tanh, -10, 10)).isLessThan(2);
    assertThat(ulps(FloatMath::tanh, Math::tanh, -1e-2, 1e-2)).isLessThan(2);
    assertThat(apply(FloatMath::tanh, -100)).isEqualTo(-1);
    assertThat(apply(FloatMath::tanh, Float.NaN)).isNaN();
  }

  /** Relative to what the larger of the two exponentials, or of 1 and |x|, is rounded to. */
  @Test
  void sinhAndItsInverse() {
    for (float x = -20; x < 20; x += 0.01f) {
      double small = 3e-7 * Math.cosh(x);
      assertThat(apply(FloatMath::sinh, x)).isCloseTo((float) Math.sinh(x), within((float) small));
      double arsinh = Math.copySign(Math.log(Math.abs(x) + Math.hypot(x, 1)), x);
      assertThat(apply(FloatMath::asinh, x)).isCloseTo((float) arsinh, within(5e-7f));
    }
  }

  @Test
  void log1p() {
    assertThat(ulps(FloatMath::log1p, Math::log1p, 0, 1)).isLessThan(2);
    assertThat(ulps(FloatMath::log1p, Math::log1p, 0, 1e-6)).isLessThan(2);
  }

  @Test
  void relu() {
    assertThat(apply(FloatMath::relu, -2)).isZero();
    assertThat(apply(FloatMath::relu, 3)).isEqualTo(3);
    assertThat(apply(FloatMath::relu, Float.NaN)).isNaN();
  }
}
