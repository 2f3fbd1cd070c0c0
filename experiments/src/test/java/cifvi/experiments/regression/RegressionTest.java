package cifvi.experiments.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.Family;
import cifvi.FittedPosterior;
import cifvi.LogDensity.Calls;
import cifvi.experiments.files.UserException;
import cifvi.experiments.regression.Regression.Kind;
import cifvi.experiments.target.Normals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Regressions of tables: what they find, in which units, and what they refuse. */
class RegressionTest {
  @TempDir private Path folder;

  private Regression read(Kind kind, String text) throws IOException {
    return Regression.read(kind, Files.writeString(folder.resolve("t.csv"), text), "y");
  }

  /** Two predictors of very different units with coefficients that count the same. */
  private static String table(Kind kind, int rows, double unit) {
    var random = new SplittableRandom(7);
    var text = new StringBuilder("year,y,height\n");
    for (int i = 0; i < rows; i++) {
      double year = 2000 + 10 * random.nextGaussian();
      double height = 1.7 + 0.1 * random.nextGaussian();
      double eta = 0.5 + 0.06 * (year - 2000) - 5 * (height - 1.7);
      double y =
          switch (kind) {
            case LINEAR -> unit * (100 * eta + 20 * random.nextGaussian());
            case LOGISTIC -> random.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
            case POISSON -> poisson(random, Math.exp(eta));
          };
      text.append(year).append(',').append(y).append(',').append(height * unit).append('\n');
    }
    return text.toString();
  }

  private static double poisson(SplittableRandom random, double mean) {
    double count = -1;
    for (double time = 0; time < mean; count++) {
      time -= Math.log(random.nextDouble());
    }
    return count;
  }

  @ParameterizedTest
  @EnumSource
  void theGradientIsThatOfTheValue(Kind kind) throws IOException {
    Regression regression = read(kind, table(kind, 50, 1));
    assertThat(regression.calls()).isEqualTo(Calls.PARALLEL);
    int d = regression.dimensions();
    double[] z = new double[d];
    Arrays.setAll(z, i -> new double[] {-5, 0.002, 0.7, 3}[i]);
    double[] gradient = new double[d];
    regression.at(z, gradient);
    for (int i = 0; i < d; i++) {
      double step = i == 1 ? 1e-8 : 1e-5;
      double[] up = z.clone();
      double[] down = z.clone();
      up[i] += step;
      down[i] -= step;
      double rise = regression.at(up, new double[d]) - regression.at(down, new double[d]);
      double difference = rise / (2 * step);
      assertThat(gradient[i]).isCloseTo(difference, within(1e-4 * (1 + Math.abs(difference))));
    }
  }

  /** Rounding apart, for a density on all of R^d the coordinates z are those of the user. */
  @Test
  void aLinearRegressionIsItsModelTermByTerm() throws IOException {
    Regression regression = read(Kind.LINEAR, "y,x\n1,10\n4,20\n2,60\n");
    double b = 0.03;
    double a = 1.5;
    double sigma = 1.2;
    double sdY = Math.sqrt((16.0 / 9 + 25.0 / 9 + 1.0 / 9) / 2);
    double sdX = Math.sqrt((400 + 100 + 900) / 2.0);
    double expected =
        Normals.log(1, a + 10 * b, sigma)
            + Normals.log(4, a + 20 * b, sigma)
            + Normals.log(2, a + 60 * b, sigma)
            + Normals.log(b, 0, 2.5 * sdY / sdX)
            + Normals.log(a + 30 * b, 7.0 / 3, 2.5 * sdY)
            - Math.log(sdY)
            - sigma / sdY
            + Math.log(sigma);
    assertThat(regression.at(new double[] {a, b, Math.log(sigma)}, new double[3]))
        .isCloseTo(expected, within(1e-12));
    assertThat(regression.parameters().names()).containsExactly("intercept", "x", "sigma");
  }

  @Test
  void aLogisticRegressionIsItsModelTermByTerm() throws IOException {
    Regression regression = read(Kind.LOGISTIC, "y,x\n1,0\n0,1\n0,2\n");
    double expected =
        -Math.log1p(Math.exp(-0.3))
            - Math.log1p(Math.exp(-0.2))
            - Math.log1p(Math.exp(-0.7))
            + Normals.log(-0.5, 0, 2.5)
            + Normals.log(-0.2, Math.log(1.5 / 2.5), 2.5);
    assertThat(regression.at(new double[] {0.3, -0.5}, new double[2]))
        .isCloseTo(expected, within(1e-12));
  }

  @Test
  void aPoissonRegressionIsItsModelTermByTerm() throws IOException {
    Regression regression = read(Kind.POISSON, "y,x\n3,0\n0,1\n25,2\n");
    double logFactorials = Math.log(6);
    for (int k = 2; k <= 25; k++) {
      logFactorials += Math.log(k);
    }
    double expected =
        3 * 0.3
            - Math.exp(0.3)
            - Math.exp(1.3)
            + 25 * 2.3
            - Math.exp(2.3)
            - logFactorials
            + Normals.log(1, 0, 2.5)
            + Normals.log(1.3, Math.log(28.5 / 3), 2.5);
    assertThat(regression.at(new double[] {0.3, 1}, new double[2]))
        .isCloseTo(expected, within(1e-11));
  }

  @ParameterizedTest
  @EnumSource
  void coefficientsComeOutInTheUsersUnits(Kind kind) throws IOException {
    Regression regression = read(kind, table(kind, 1000, 1));
    double times = kind == Kind.LINEAR ? 100 : 1;
    try (FittedPosterior posterior =
        regression.fitting().family(Family.MEAN_FIELD).steps(100).samples(100).threads(1).run()) {
      assertThat(posterior.report().notes())
          .singleElement()
          .asString()
          .matches("\\d+ points led to one mode");
      assertThat(posterior.parameters().names()).startsWith("intercept", "year", "height");
      var draws = posterior.draws(2000);
      assertThat(draws.effectiveSampleSize()).isGreaterThan(1600);
      double[] truth = {0.5 - 120 + 8.5, 0.06, -5};
      for (int i = 0; i < truth.length; i++) {
        String name = posterior.parameters().names().get(i);
        assertThat(draws.mean(name))
            .as(name)
            .isCloseTo(truth[i] * times, within(4 * draws.sd(name)));
        assertThat(draws.sd(name)).isLessThan(0.3 * Math.abs(truth[i]) * times);
      }
      if (kind == Kind.LINEAR) {
        assertThat(draws.mean("sigma")).isCloseTo(20, within(1.5));
      }
    }
  }

  /**
   * Evidence of the response in other units differs by their Jacobian, of predictors not at all.
   */
  @Test
  void otherUnitsChangeNothingElse() throws IOException {
    Regression metres = read(Kind.LINEAR, table(Kind.LINEAR, 100, 1));
    double[] z = {-3, 0.1, 2, 3};
    Regression microns = read(Kind.LINEAR, table(Kind.LINEAR, 100, 1e6));
    double[] same = {-3e6, 0.1e6, 2, 3 + Math.log(1e6)};
    double jacobian = 100 * Math.log(1e6) + 2 * Math.log(1e6);
    assertThat(microns.at(same, new double[4]))
        .isCloseTo(metres.at(z, new double[4]) - jacobian, within(1e-6));
  }

  @Test
  void classesThatCanBeSeparatedHaveFiniteCoefficients() throws IOException {
    Regression regression = read(Kind.LOGISTIC, "x,y\n1,0\n2,0\n3,0\n4,1\n5,1\n6,1\n");
    assertThat(regression.notes())
        .containsExactly(
            "the classes of \"y\" can be separated: it is the prior that keeps coefficients from growing without end");
    assertThat(read(Kind.LOGISTIC, "x,y\n1,0\n2,1\n3,0\n4,1\n").notes()).isEmpty();
    try (var posterior =
        regression.fitting().family(Family.MEAN_FIELD).steps(200).samples(100).run()) {
      var draws = posterior.draws(1000);
      assertThat(draws.mean("x")).isBetween(0.5, 5.0);
      assertThat(draws.sd("x")).isBetween(0.1, 3.0);
      assertThat(posterior.report().logEvidence()).isNegative().isFinite();
    }
  }

  @Test
  void columnsAreLeftOutAndRenamedWithWords() throws IOException {
    Regression regression =
        read(
            Kind.LINEAR,
            """
            y,one,Blood pressure (mm),sigma,2nd,a b,a.b
            1,1,3,4,5,1,0
            2,1,5,9,2,6,5
            4,1,1,1,1,7,3
            """);
    assertThat(regression.parameters().names())
        .containsExactly(
            "intercept", "Blood_pressure_mm", "sigma_2", "x_2nd", "a_b", "a_b_2", "sigma");
    assertThat(regression.notes())
        .containsExactly(
            "column \"one\" is left out: it is 1.0 in every row, which no intercept can be told from",
            "the coefficient of column \"Blood pressure (mm)\" is named Blood_pressure_mm",
            "the coefficient of column \"sigma\" is named sigma_2",
            "the coefficient of column \"2nd\" is named x_2nd",
            "the coefficient of column \"a b\" is named a_b",
            "the coefficient of column \"a.b\" is named a_b_2");
  }

  @Test
  void copiesOfAColumnAreNoProblem() throws IOException {
    Regression regression = read(Kind.LINEAR, "y,a,b\n1,1,1\n2,2,2\n2.5,3,3\n4.5,4,4\n5,5,5\n");
    try (var posterior =
        regression.fitting().family(Family.MEAN_FIELD).steps(200).samples(100).run()) {
      var draws = posterior.draws(1000);
      assertThat(draws.mean("a") + draws.mean("b")).isCloseTo(1.05, within(0.2));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          linear   | x,Y;1,2;3,4        | no column is named "y"; did you mean "Y"?; there are x, Y
          linear   | x,z;1,2;3,4        | no column is named "y"; there are x, z
          linear   | x,y;1,2            | expected at least 2 rows, got 1
          linear   | x,y;1,2;3,2        | column "y" is 2.0 in every row; there is nothing to explain
          linear   | x,y;1,2;3,6;5,10;0,0 | "y" is a linear function of the other columns to all digits
          logistic | x,y;1,0;3,2        | row 2, column "y": a logistic regression needs 0 or 1, got 2.0
          poisson  | x,y;1,0;3,-1       | row 2, column "y": a poisson regression needs counts 0, 1, 2, ..., got -1.0
          poisson  | x,y;1,0.5;3,1      | row 1, column "y": a poisson regression needs counts 0, 1, 2, ..., got 0.5
          poisson  | x,y;1,1;3,         | row 2 (line 3), column "y": missing
          """)
  void whatCannotBeExplainedIsRefused(String kind, String table, String words) {
    assertThatThrownBy(() -> read(Kind.of(kind), table.replace(';', '\n')))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("t.csv: ")
        .hasMessageContaining(words);
  }

  @Test
  void thereAreThreeKinds() {
    assertThat(Kind.of("poisson")).isEqualTo(Kind.POISSON);
    assertThatThrownBy(() -> Kind.of("logit"))
        .isInstanceOf(UserException.class)
        .hasMessage("no regression is named \"logit\"; there are logistic, linear, poisson");
  }
}
