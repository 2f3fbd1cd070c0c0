package cifvi.parameter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.parameter.Quadrature.Axis;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * Densities with known constants and moments on the constrained space, integrated over y: the
 * log-Jacobian must be right, its constants included, for the integral to be 1.
 */
class KnownMomentsTest {
  /** Ends are cut where less than 1e-11 remains; the lattice's own error is smaller still. */
  private static final double TOLERANCE = 1e-9;

  private static final Axis WIDE = new Axis(-36, 36, 0.25);

  /** Of the logarithm of a number that has the density e^-x near 0: falls as e^y to the left. */
  private static final Axis LOG_STEP = new Axis(-30, 5, 0.25);

  private static void check(
      Parameter parameter,
      ToDoubleFunction<double[]> logDensity,
      List<Axis> axes,
      List<ToDoubleFunction<double[]>> functions,
      double... expected) {
    var quadrature = new Quadrature(ParameterSpace.of(parameter), logDensity, axes);
    assertThat(quadrature.means(functions)).containsExactly(expected, within(TOLERANCE));
  }

  private static double square(double a) {
    return a * a;
  }

  @Test
  void realNormal() {
    check(
        Parameter.real("x"),
        x -> -square(x[0] - 1) / 8 - Math.log(2) - 0.5 * Math.log(2 * Math.PI),
        List.of(WIDE),
        List.of(x -> x[0], x -> square(x[0] - 1)),
        1,
        1,
        4);
  }

  /** Shape 3, rate 2. */
  @Test
  void positiveGamma() {
    check(
        Parameter.positive("x"),
        x -> Math.log(4) + 2 * Math.log(x[0]) - 2 * x[0],
        List.of(WIDE),
        List.of(x -> x[0], x -> square(x[0] - 1.5)),
        1,
        1.5,
        0.75);
  }

  @Test
  void lowerShiftedGammaAndUpperItsMirror() {
    for (int sign : new int[] {1, -1}) {
      check(
          sign > 0 ? Parameter.lower("x", 2) : Parameter.upper("x", 2),
          x -> Math.log(sign * (x[0] - 2)) - sign * (x[0] - 2),
          List.of(new Axis(-15, 5, 0.25)),
          List.of(x -> x[0], x -> square(x[0] - 2 - sign * 2)),
          1,
          2 + sign * 2,
          2);
    }
  }

  /** Beta(2, 3) on (-1, 3). */
  @Test
  void intervalBeta() {
    check(
        Parameter.interval("x", -1, 3),
        x -> Math.log(12.0 / 256) + Math.log(x[0] + 1) + 2 * Math.log(3 - x[0]),
        List.of(new Axis(-14, 14, 0.25)),
        List.of(x -> x[0], x -> square(x[0] - 0.6)),
        1,
        -1 + 4 * 0.4,
        16 * 0.04);
  }

  /** Dirichlet(2, 3, 4): mean a / 9, covariance (diag(a) 9 - a a') / (81 * 10). */
  @Test
  void simplexDirichlet() {
    check(
        Parameter.simplex("x", 3),
        x -> Math.log(3360) + Math.log(x[0]) + 2 * Math.log(x[1]) + 3 * Math.log(x[2]),
        List.of(WIDE, WIDE),
        List.of(
            x -> x[0],
            x -> x[1],
            x -> x[2],
            x -> square(x[0] - 2.0 / 9),
            x -> (x[1] - 3.0 / 9) * (x[2] - 4.0 / 9)),
        1,
        2.0 / 9,
        3.0 / 9,
        4.0 / 9,
        14.0 / 810,
        -12.0 / 810);
  }

  /**
   * Three sorted standard normals: the largest has mean 1.5 / sqrt(pi). exp(-e^2y) is small only
   * for |Im y| below pi / 4, so that the steps on the logarithmic axes are half as long.
   */
  @Test
  void orderedNormals() {
    var halved = new Axis(-30, 3, 0.125);
    check(
        Parameter.ordered("x", 3),
        x ->
            Math.log(6)
                - 1.5 * Math.log(2 * Math.PI)
                - 0.5 * Arrays.stream(x).map(a -> a * a).sum(),
        List.of(new Axis(-8, 8, 0.5), halved, halved),
        List.of(x -> x[0], x -> x[1], x -> x[2], x -> square(x[1])),
        1,
        -1.5 / Math.sqrt(Math.PI),
        0,
        1.5 / Math.sqrt(Math.PI),
        1 - Math.sqrt(3) / Math.PI);
  }

  /** Three sorted standard exponentials: means 1/3, 1/3 + 1/2, 1/3 + 1/2 + 1. */
  @Test
  void positiveOrderedExponentials() {
    check(
        Parameter.positiveOrdered("x", 3),
        x -> Math.log(6) - x[0] - x[1] - x[2],
        List.of(LOG_STEP, LOG_STEP, LOG_STEP),
        List.of(x -> x[0], x -> x[1], x -> x[2], x -> square(x[0] - 1.0 / 3)),
        1,
        1.0 / 3,
        5.0 / 6,
        11.0 / 6,
        1.0 / 9);
  }

  /**
   * LKJ(2) for three variables, det(R) / c in R = L L', and det |dR/dL| = L22 (Stan Functions
   * Reference, lkj_corr_cholesky). c is the constant of Lewandowski, Kurowicka and Joe (2009);
   * every correlation is 2 B - 1 with B from Beta(5/2, 5/2), so its square has the mean 1/6.
   */
  @Test
  void correlationCholeskyLkj() {
    double beta = square(0.75 * Math.sqrt(Math.PI)) / 24;
    double c = 256 * square(beta) * 8 / 6;
    var axis = new Axis(-10, 10, 0.25);
    check(
        Parameter.correlationCholesky("L", 3),
        x -> 3 * Math.log(x[4]) + 2 * Math.log(x[8]) - Math.log(c),
        List.of(axis, axis, axis),
        List.of(
            x -> x[1],
            x -> square(x[1]),
            x -> square(x[2]),
            x -> square(x[1] * x[2] + x[4] * x[5]),
            x -> Math.pow(x[1] * x[2] + x[4] * x[5], 4)),
        1,
        0,
        1.0 / 6,
        1.0 / 6,
        1.0 / 6,
        3.0 / 48);
  }

  /**
   * Wishart with 5 degrees of freedom and the scale [[2, 0.6], [0.6, 1]] in W = L L', with |dW/dL|
   * = 4 L11^2 L22: means 5 S, variance of the off-diagonal 5 (S12^2 + S11 S22).
   */
  @Test
  void covarianceCholeskyWishart() {
    double determinant = 2 - 0.36;
    double logConstant =
        5 * Math.log(2) + 2.5 * Math.log(determinant) + Math.log(0.75 * Math.PI) - Math.log(4);
    check(
        Parameter.covarianceCholesky("L", 2),
        x -> {
          double w11 = square(x[0]);
          double w12 = x[0] * x[1];
          double w22 = square(x[1]) + square(x[3]);
          double trace = (w11 - 1.2 * w12 + 2 * w22) / determinant;
          return 2 * Math.log(x[0] * x[3])
              - trace / 2
              - logConstant
              + 2 * Math.log(x[0])
              + Math.log(x[3]);
        },
        List.of(new Axis(-7, 4, 0.125), new Axis(-12, 12, 0.25), new Axis(-8, 4, 0.125)),
        List.of(
            x -> square(x[0]),
            x -> x[0] * x[1],
            x -> square(x[1]) + square(x[3]),
            x -> square(x[0] * x[1] - 3)),
        1,
        10,
        3,
        5,
        5 * (0.36 + 2));
  }

  /**
   * exp(2 a'x) on the sphere in three dimensions (von Mises and Fisher): a'x has the mean coth 2 -
   * 1/2 and its square 1 - 2 mean / 2; the integral over y is (2 pi)^(3/2) sinh(2) / 2. The map is
   * not continuous at y = 0, which costs about step^3 / 500.
   */
  @Test
  void unitVectorVonMisesFisher() {
    var axis = new Axis(-7 + 1.0 / 16, 7, 0.125);
    var quadrature =
        new Quadrature(
            ParameterSpace.of(Parameter.unitVector("x", 3)),
            x -> 2 * (0.6 * x[0] + 0.8 * x[2]) - Math.log(Math.sinh(2) / 2),
            List.of(axis, axis, axis));
    double[] means =
        quadrature.means(
            List.of(x -> 0.6 * x[0] + 0.8 * x[2], x -> square(0.6 * x[0] + 0.8 * x[2]), x -> x[1]));
    means[0] /= Math.pow(2 * Math.PI, 1.5);
    double mean = 1 / Math.tanh(2) - 0.5;
    assertThat(means).containsExactly(new double[] {1, mean, 1 - mean, 0}, within(1e-5));
  }
}
