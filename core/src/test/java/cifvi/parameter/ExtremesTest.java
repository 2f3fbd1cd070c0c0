package cifvi.parameter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import cifvi.parameter.ParameterCases.Case;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Far out, values stay inside their bounds, and nothing overflows or becomes NaN. */
class ExtremesTest {
  private static final double FAR = 700;

  static List<Case> cases() {
    return ParameterCases.all();
  }

  static List<IntToDoubleFunction> corners() {
    return List.of(
        i -> FAR,
        i -> -FAR,
        i -> i % 2 == 0 ? FAR : -FAR,
        i -> i % 2 == 0 ? -FAR : FAR,
        i -> i == 0 ? FAR : 0.5,
        i -> i % 3 == 0 ? -FAR : 40,
        i -> 1e-200);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void allIsFiniteAndInsideTheBounds(Case kind) {
    var space = ParameterSpace.of(kind.parameter());
    for (IntToDoubleFunction corner : corners()) {
      var y = new double[space.unconstrainedSize()];
      Arrays.setAll(y, corner);
      var x = new double[space.constrainedSize()];
      assertThat(space.constrain(y, x)).isFinite();
      assertThat(Arrays.stream(x)).allMatch(number -> Double.isFinite(number));
      assertThatCode(() -> space.unconstrain(x, new double[y.length])).doesNotThrowAnyException();
      var ones = new double[x.length];
      Arrays.fill(ones, 1);
      var gradient = new double[y.length];
      space.addGradient(y, x, ones, gradient);
      assertThat(Arrays.stream(gradient)).allMatch(number -> Double.isFinite(number));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void notANumberStaysOne(Case kind) {
    var space = ParameterSpace.of(kind.parameter());
    if (space.unconstrainedSize() > 0) {
      var y = new double[space.unconstrainedSize()];
      Arrays.fill(y, Double.NaN);
      var x = new double[space.constrainedSize()];
      space.constrain(y, x);
      assertThat(Arrays.stream(x)).anyMatch(number -> Double.isNaN(number));
    }
  }

  @Test
  void anIntervalKeepsItsLogJacobian() {
    var space = ParameterSpace.of(Parameter.interval("p", 0, 1));
    var x = new double[1];
    assertThat(space.constrain(new double[] {FAR}, x)).isEqualTo(-FAR);
    assertThat(x[0]).isEqualTo(Math.nextDown(1.0));
    assertThat(space.constrain(new double[] {-FAR}, x)).isEqualTo(-FAR);
    assertThat(x[0]).isCloseTo(Math.exp(-FAR), within(1e-318));
    for (double beyond : new double[] {2000, -2000}) {
      assertThat(space.constrain(new double[] {beyond}, x)).isEqualTo(-2000);
    }
  }

  /** Row 2 has -2 log cosh y once, row 3 twice, with the rest that its first entry leaves. */
  @Test
  void correlationsKeepTheirLogJacobian() {
    var space = ParameterSpace.of(Parameter.correlationCholesky("L", 3));
    var y = new double[] {FAR, -FAR, FAR};
    double logCosh = FAR - Math.log(2);
    assertThat(space.constrain(y, new double[9])).isCloseTo(-7 * logCosh, within(1e-11));
  }

  /** Stan's formula 1 - sum of squares has lost all digits of the diagonal by here. */
  @Test
  void correlationsNearOneComeBack() {
    var space = ParameterSpace.of(Parameter.correlationCholesky("L", 3));
    double[] y = {150, -90, 120};
    var x = new double[9];
    space.constrain(y, x);
    var back = new double[3];
    space.unconstrain(x, back);
    assertThat(back).containsExactly(y, within(1e-10));
  }

  @Test
  void anEqualStepStaysAStep() {
    var space = ParameterSpace.of(Parameter.ordered("c", 3));
    var x = new double[3];
    space.constrain(new double[] {1, -FAR, -FAR}, x);
    assertThat(x).containsExactly(1, Math.nextUp(1.0), Math.nextUp(Math.nextUp(1.0)));
  }

  /** The value stays on the smallest normal double; the slope of log x + y is 2 as everywhere. */
  @Test
  void belowTheSmallestDoubleTheGradientGoesOn() {
    var space = ParameterSpace.of(Parameter.positive("tau"));
    double[] y = {-1000};
    var x = new double[1];
    assertThat(space.constrain(y, x)).isEqualTo(-1000);
    assertThat(x[0]).isEqualTo(Double.MIN_NORMAL);
    var gradient = new double[1];
    space.addGradient(y, x, new double[] {1 / x[0]}, gradient);
    assertThat(gradient[0]).isCloseTo(2, within(1e-15));
  }

  @Test
  void aboveTheLargestDoubleAValueIsInfinite() {
    var x = new double[1];
    ParameterSpace.of(Parameter.positive("tau")).constrain(new double[] {710}, x);
    assertThat(x[0]).isInfinite();
  }

  @Test
  void aUnitVectorIsUndefinedAtZero() {
    var space = ParameterSpace.of(Parameter.unitVector("u", 3).array(2));
    double[] y = {1, 0, 0, 0, 0, 0};
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> space.constrain(y, new double[6]))
        .withMessage("u.2: a unit vector is undefined at y = 0; begin at another point");
  }
}
