package cifvi.bijection;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import cifvi.bijection.SplineCases.Case;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The spline where it is hard: on knots, at the edge, outside, with saturated parameters. */
@ExtendWith(NativeScope.class)
class RationalQuadraticSplineTest {
  private static final String CASES = "cifvi.bijection.SplineCases#all";
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);

  /** A few operations on numbers up to B, each rounded once. */
  private static final double ROUNDINGS = 10;

  private static double rounding(Case c) {
    double epsilon = c.precision() == Precision.FLOAT64 ? 0x1p-53 : 0x1p-24;
    return ROUNDINGS * SplineCases.BOUND * epsilon;
  }

  /** Which way; the inputs of the inverse lie on the y axis. */
  private enum Direction {
    FORWARD(0),
    INVERSE(1);

    final int axis;

    Direction(int axis) {
      this.axis = axis;
    }

    Mapped apply(Case c, Tensor v, Tensor raw) {
      var spline = c.spline();
      return this == FORWARD ? spline.forward(v, raw) : spline.inverse(v, raw);
    }
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void valuesAndGradientsAreFinite(Case c) {
    for (Direction direction : Direction.values()) {
      Tensor v = Tensors.leaf(c.inputs(direction.axis));
      Tensor raw = Tensors.leaf(c.raw(v.size(0)));
      Mapped mapped = direction.apply(c, v, raw);
      assertThat(mapped.value()).as("value, %s", direction).isFinite();
      assertThat(mapped.logDet()).as("log-derivative, %s", direction).isFinite();
      mapped.value().sum().add(mapped.logDet().sum()).backward();
      assertThat(v.grad()).as("gradient in the input, %s", direction).isFinite();
      assertThat(raw.grad()).as("gradient in the parameters, %s", direction).isFinite();
    }
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void bothDirectionsAreMonotone(Case c) {
    for (Direction direction : Direction.values()) {
      Tensor v = c.inputs(direction.axis);
      double[] values = Backend.doubles(direction.apply(c, v, c.raw(v.size(0))).value());
      for (int i = 1; i < values.length; i++) {
        assertThat(values[i]).isGreaterThanOrEqualTo(values[i - 1] - rounding(c));
      }
    }
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void theForwardMapUndoesTheInverse(Case c) {
    Tensor y = c.inputs(Direction.INVERSE.axis);
    Tensor raw = c.raw(y.size(0));
    Mapped x = c.spline().inverse(y, raw);
    double[] back = Backend.doubles(c.spline().forward(x.value(), raw).value());
    double[] expected = Backend.doubles(y);
    double[] slope = Backend.doubles(x.logDet().neg().exp());
    for (int i = 0; i < back.length; i++) {
      assertThat(back[i]).isCloseTo(expected[i], within(rounding(c) * (1 + slope[i])));
    }
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void outsideTheBoxItIsTheIdentity(Case c) {
    double next = c.precision() == Precision.FLOAT64 ? Math.nextUp(3.0) : Math.nextUp(3f);
    double[] outside = {-30, -next, next, 30};
    for (Direction direction : Direction.values()) {
      Tensor v = Tensors.leaf(Backend.cpu(c.precision()).tensor(outside, 4));
      Tensor raw = Tensors.leaf(c.raw(4));
      Mapped mapped = direction.apply(c, v, raw);
      assertThat(mapped.value()).isExactly(v);
      assertThat(mapped.logDet()).isAllZero();
      mapped.value().sum().add(mapped.logDet().sum()).backward();
      assertThat(v.grad()).isExactly(v.new_ones(4));
      assertThat(raw.grad()).isAllZero();
    }
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void theEndsAreFixedWithSlopeOne(Case c) {
    Tensor ends = Backend.cpu(c.precision()).tensor(new double[] {-3, 3}, 2);
    for (Direction direction : Direction.values()) {
      Mapped mapped = direction.apply(c, ends, c.raw(2));
      assertThat(mapped.value()).isCloseTo(ends, rounding(c));
      assertThat(mapped.logDet()).isCloseTo(ends.new_zeros(2), rounding(c));
    }
  }

  @Test
  void theFormulaIsThatOfDurkanEtAl() {
    // two equal bins with inner derivative 2; at ξ = 1/2 of the first: D = 1.25, y = -3 + 1.5 / D
    double two = Math.log(Math.expm1(2 - 1e-3));
    Tensor raw = FLOAT64.tensor(new double[] {0, 0, 0, 0, two}, 1, 5);
    Mapped y = new RationalQuadraticSpline(2, 3).forward(FLOAT64.full(-1.5, 1), raw);
    assertThat(y.value()).isCloseTo(FLOAT64.full(-1.8, 1), 1e-14);
    assertThat(y.logDet()).isCloseTo(FLOAT64.full(Math.log(0.8), 1), 1e-14);
  }

  @Test
  void equalBinsWithDerivativeOneAreTheIdentity() {
    double one = Math.log(Math.expm1(1 - 1e-3));
    Tensor raw = FLOAT64.tensor(new double[] {5, 5, 5, -2, -2, -2, one, one}, 1, 8).repeat(13, 1);
    Tensor x = Tensors.normal(FLOAT64, 1, 1, 13).view(13).mul(Scalars.of(2));
    Mapped y = new RationalQuadraticSpline(3, 3).forward(x, raw);
    assertThat(y.value()).isCloseTo(x, 1e-14);
    assertThat(y.logDet()).isCloseTo(x.new_zeros(13), 1e-13);
  }

  @Test
  void rawSizeCountsWidthsHeightsAndInnerDerivatives() {
    assertThat(List.of(1, 4, 8))
        .map(k -> new RationalQuadraticSpline(k, 3).rawSize())
        .containsExactly(2, 11, 23);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1000})
  void aWrongNumberOfBinsIsNamed(int bins) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RationalQuadraticSpline(bins, 3))
        .withMessage("bins: expected 1 to 999, got " + bins);
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "NaN", "Infinity"})
  void aWrongTailBoundIsNamed(double bound) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RationalQuadraticSpline(8, bound))
        .withMessage("tail bound: expected a positive number, got " + bound);
  }
}
