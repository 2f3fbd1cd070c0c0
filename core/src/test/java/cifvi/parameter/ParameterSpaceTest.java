package cifvi.parameter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole of a model's parameters: sizes, and values that are refused. */
class ParameterSpaceTest {
  private final ParameterSpace space =
      ParameterSpace.of(
          Parameter.positive("tau"),
          Parameter.interval("p", 0, 1).matrix(2, 2),
          Parameter.simplex("pi", 2).array(2),
          Parameter.ordered("c", 2),
          Parameter.correlationCholesky("L", 2),
          Parameter.covarianceCholesky("S", 2),
          Parameter.unitVector("u", 2));

  /** tau, p by columns, the first shares of pi then the second, c, L and S by columns, u. */
  private final double[] good = {
    2, 0.1, 0.2, 0.3, 0.4, 0.5, 0.25, 0.5, 0.75, -1, 3, 1, 0.6, 0, 0.8, 2, -1, 0, 3, 0.6, 0.8
  };

  @Test
  void sizesAreSums() {
    assertThat(space.unconstrainedSize()).isEqualTo(1 + 4 + 2 + 2 + 1 + 3 + 2);
    assertThat(space.constrainedSize()).isEqualTo(good.length);
    assertThat(space.names())
        .hasSize(good.length)
        .contains("pi.2.1", "L.2.1")
        .first()
        .isEqualTo("tau");
    assertThat(space.parameters()).first().hasToString("real<lower=0.0> tau");
  }

  @Test
  void aModelWithoutParametersHasDimensionZero() {
    var nothing = ParameterSpace.of();
    assertThat(nothing.unconstrainedSize()).isZero();
    assertThat(nothing.names()).isEmpty();
    assertThat(nothing.constrain(new double[0], new double[0])).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0  | 0    | tau: expected a finite number above 0.0, got 0.0
          0  | NaN  | tau: expected a finite number above 0.0, got NaN
          0  | Infinity | tau: expected a finite number above 0.0, got Infinity
          3  | 1    | p.1.2: expected a number between 0.0 and 1.0, got 1.0
          8  | 0.5  | pi.2: expected positive numbers with the sum 1, got [0.25, 0.5] with the sum 0.75
          6  | 0    | pi.2: expected positive numbers with the sum 1, got [0.0, 0.75] with the sum 0.75
          10 | -1   | c: expected increasing finite numbers, got [-1.0, -1.0]
          11 | -1   | L: expected a positive diagonal, got -1.0 in row 1
          13 | 0.1  | L: expected 0 above the diagonal, got 0.1 in row 1
          12 | 0    | L: expected rows of length 1, got the length 0.8 in row 2
          18 | 0    | S: expected a finite positive diagonal, got 0.0 in row 2, column 2
          17 | 1    | S: expected 0 above the diagonal, got 1.0 in row 1, column 2
          16 | NaN  | S: expected a finite number, got NaN in row 2, column 1
          19 | 0    | u: expected a vector of length 1, got [0.0, 0.8] of length 0.8
          """)
  void aViolationNamesTheParameterAndTheValue(int number, double value, String message) {
    double[] x = good.clone();
    x[number] = value;
    var y = new double[space.unconstrainedSize()];
    assertThatIllegalArgumentException()
        .isThrownBy(() -> space.unconstrain(x, y))
        .withMessage(message);
    assertThat(y).as("unchanged").containsOnly(0);
  }

  @Test
  void theUnchangedPointIsAllowed() {
    var y = new double[space.unconstrainedSize()];
    space.unconstrain(good, y);
    assertThat(y[0]).isEqualTo(Math.log(2));
  }

  @Test
  void aNameTwiceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ParameterSpace.of(Parameter.real("a"), Parameter.positive("a")))
        .withMessage("two parameters are named a; rename one of them");
  }

  @Test
  void aWrongLengthIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> space.constrain(new double[14], good))
        .withMessage("y: expected 15 numbers, got 14");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> space.values(new double[3]))
        .withMessage("x: expected 21 numbers, got 3");
  }

  @Test
  void moreThanAnArrayHoldsInAllIsRefused() {
    var half = Parameter.real("a").vector(1 << 30);
    var other = Parameter.real("b").vector(1 << 30);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ParameterSpace.of(half, other))
        .withMessage(
            "vector[1073741824] b: more than 2147483647 numbers with the parameters before it; make"
                + " it smaller");
  }
}
