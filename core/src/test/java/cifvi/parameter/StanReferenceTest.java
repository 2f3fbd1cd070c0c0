package cifvi.parameter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Names, order, values, log-Jacobian and gradient as Stan itself gives them ({@code
 * stan-2.21.csv}). Its simplex of then was another; that of today is computed from the manual by
 * hand.
 */
class StanReferenceTest {
  private static final double TOLERANCE = 1e-14;

  private final ParameterSpace space =
      ParameterSpace.of(
          Parameter.real("mu"),
          Parameter.positive("tau"),
          Parameter.lower("lo", -2.5),
          Parameter.upper("up", 4),
          Parameter.interval("p", -1, 3),
          Parameter.real("v").vector(3),
          Parameter.positive("M").matrix(2, 3),
          Parameter.ordered("c", 3),
          Parameter.positiveOrdered("d", 3),
          Parameter.unitVector("u", 3),
          Parameter.correlationCholesky("L", 4),
          Parameter.covarianceCholesky("S", 3),
          Parameter.covarianceCholesky("R", 3, 2),
          Parameter.positive("a").array(2, 3),
          Parameter.ordered("o", 3).array(2),
          Parameter.real("w").vector(2).array(2, 3),
          Parameter.correlationCholesky("K", 3).array(2),
          Parameter.real("B").matrix(2, 2).array(2));

  private final double[] y = new double[space.unconstrainedSize()];
  private final double[] x = new double[space.constrainedSize()];
  private List<String> lines = List.of();

  @BeforeEach
  void read() throws IOException {
    var stream = StanReferenceTest.class.getResourceAsStream("stan-2.21.csv");
    try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      lines = reader.lines().filter(line -> !line.startsWith("#")).toList();
    }
    for (int i = 0; i < y.length; i++) {
      y[i] = (37 * i % 41 - 20) / 16.0;
    }
  }

  private double[] numbers(int line) {
    return Arrays.stream(lines.get(line).split(",")).mapToDouble(Double::parseDouble).toArray();
  }

  @Test
  void columnsAreNamedAsInStan() {
    assertThat(String.join(",", space.names())).isEqualTo(lines.getFirst());
  }

  @Test
  void valuesAreThoseOfStan() {
    space.constrain(y, x);
    assertThat(x).containsExactly(numbers(1), within(TOLERANCE));
  }

  @Test
  void theLogJacobianIsThatOfStan() {
    assertThat(space.constrain(y, x)).isCloseTo(numbers(2)[0], within(10 * TOLERANCE));
  }

  @Test
  void theGradientIsThatOfStan() {
    space.constrain(y, x);
    var gradient = new double[y.length];
    space.addGradient(y, x, new double[x.length], gradient);
    assertThat(gradient).containsExactly(numbers(3), within(TOLERANCE));
  }

  /**
   * Reference Manual (as of 2.37), "Unit simplex inverse transform": softmax of the sum-to-zero
   * vector z of "Sum-to-zero vector inverse transform", in 40 decimal digits; the log-Jacobian is
   * that of Stan's simplex_constrain, the sum of log x and log(4) / 2.
   */
  @Test
  void theSimplexIsThatOfTheManual() {
    var simplex = ParameterSpace.of(Parameter.simplex("pi", 4));
    var pi = new double[4];
    double logJacobian = simplex.constrain(new double[] {0.5, -1.25, 0.75}, pi);
    double[] expected = {
      0.19117080963157063, 0.09426034093800703, 0.620512046300879, 0.09405680312954341
    };
    assertThat(pi).containsExactly(expected, within(TOLERANCE));
    assertThat(logJacobian).isCloseTo(-6.164202170521983, within(TOLERANCE));
  }

  /** z = (y, -y) / sqrt 2, whence the odds e^(sqrt 2 y). */
  @Test
  void aSimplexOfTwoIsALogisticFunctionOfRootTwoY() {
    var simplex = ParameterSpace.of(Parameter.simplex("pi", 2));
    var pi = new double[2];
    double y1 = Math.log(3) / Math.sqrt(2);
    assertThat(simplex.constrain(new double[] {y1}, pi))
        .isCloseTo(Math.log(Math.sqrt(2) * 3 / 16), within(TOLERANCE));
    assertThat(pi).containsExactly(new double[] {0.75, 0.25}, within(TOLERANCE));
  }
}
