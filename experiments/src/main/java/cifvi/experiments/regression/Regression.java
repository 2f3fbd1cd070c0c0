package cifvi.experiments.regression;

import cifvi.Cifvi;
import cifvi.Fit;
import cifvi.LogDensity;
import cifvi.Simulator;
import cifvi.experiments.files.Nearest;
import cifvi.experiments.files.UserException;
import cifvi.experiments.target.Normals;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The posterior of a regression of one column of a table on all others, in the units of the table:
 * {@code intercept}, a coefficient under the name of each column, and {@code sigma} of a linear
 * one.
 *
 * <p>Priors are weak, and stated where everything is standardised, so that they mean the same in
 * any units. With predictors x of mean m and standard deviation s, and b their coefficients:
 *
 * <ul>
 *   <li>b_j s_j ~ N(0, 2.5²), for a linear regression times the standard deviation of the response;
 *   <li>the intercept at the means, intercept + Σ b_j m_j, around the response's mean (its log-odds
 *       or logarithm, with half a count added) with the same standard deviation;
 *   <li>sigma ~ exponential with the standard deviation of the response as its mean.
 * </ul>
 *
 * <p>They keep coefficients finite where classes can be separated, or columns are copies of others.
 */
public final class Regression implements LogDensity, Simulator {
  /** What the response is. */
  public enum Kind {
    /** 0 or 1, with log-odds linear in the predictors. */
    LOGISTIC,
    /** Any number, normal around a linear function of the predictors. */
    LINEAR,
    /** A count, with the logarithm of its mean linear in the predictors. */
    POISSON;

    /** The one of this name. */
    public static Kind of(String name) {
      for (Kind kind : values()) {
        if (kind.toString().equals(name)) {
          return kind;
        }
      }
      var names = Stream.of(values()).map(Kind::toString).toList();
      throw new UserException(
          "no regression is named \"%s\"%s; there are %s"
              .formatted(name, Nearest.hint(name, names), String.join(", ", names)));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final double PRIOR_SD = 2.5;

  /** Of the response's variance: less is rounding. */
  private static final double EXPLAINED = 1e-12;

  private final Kind kind;
  private final Units units;
  private final Likelihood likelihood;
  private final ParameterSpace space;
  private final double constant;
  private final List<String> notes;
  private final double[][] x; // standardised
  private final int rows;
  private final Mode mode; // of standardised coefficients

  private Regression(Kind kind, CsvTable table, String responseName) {
    this.kind = kind;
    notes = new ArrayList<>();
    int place = table.indexOf(responseName);
    if (table.rows() < 2) {
      throw new UserException(table.file() + ": expected at least 2 rows, got " + table.rows());
    }
    double[] y = table.values(place);
    var response = new Response(kind, table.file(), Column.of(responseName, y));
    response.require(y);
    var predictors = new ArrayList<Column>();
    var columns = new ArrayList<double[]>();
    for (int c = 0; c < table.columns().size(); c++) {
      Column column = Column.of(table.columns().get(c), table.values(c));
      if (c != place && column.isConstant()) {
        notes.add(
            "column \"%s\" is left out: it is %s in every row, which no intercept can be told from"
                .formatted(column.name(), column.mean()));
      } else if (c != place) {
        predictors.add(column);
        columns.add(column.standardise(table.values(c)));
      }
    }
    units = new Units(response.centre(y.length), response.scale(), predictors, kind == Kind.LINEAR);
    x = columns.toArray(double[][]::new);
    rows = y.length;
    likelihood = likelihood(table, response, x, y);
    var parameters = new ArrayList<>(CoefficientNames.of(predictors, notes));
    if (kind == Kind.LINEAR) {
      parameters.add(Parameter.positive(CoefficientNames.SIGMA));
    }
    space = ParameterSpace.of(parameters);
    constant =
        -units.logDet()
            - (1 + predictors.size()) * (Normals.HALF_LOG_2_PI + Math.log(PRIOR_SD))
            - (kind == Kind.LINEAR ? y.length * Math.log(response.scale()) : 0);
    mode = Mode.of(this::standardised, new double[dimensions()]);
    if (likelihood instanceof CountLikelihood count && count.separates(mode.at())) {
      notes.add(
          "the classes of \"%s\" can be separated: it is the prior that keeps coefficients from growing without end"
              .formatted(responseName));
    }
  }

  /** The same with other responses. */
  private Regression(Regression of, Likelihood likelihood) {
    kind = of.kind;
    units = of.units;
    space = of.space;
    constant = of.constant;
    notes = of.notes;
    x = of.x;
    rows = of.rows;
    this.likelihood = likelihood;
    mode = Mode.of(this::standardised, new double[dimensions()]);
  }

  /**
   * Coefficients from the priors, and responses of the same predictors; the units, and with them
   * the priors, stay those of the table.
   *
   * @throws UserException for counts, which have means up to e^10 under these priors
   */
  @Override
  public Simulated simulate(RandomGenerator random) {
    if (kind == Kind.POISSON) {
      throw new UserException("a poisson regression does not simulate: its priors are too wide");
    }
    double[] w = new double[dimensions()];
    Arrays.setAll(w, _ -> PRIOR_SD * random.nextGaussian());
    if (kind == Kind.LINEAR) {
      w[w.length - 1] = Math.log(-Math.log1p(-random.nextDouble())); // σ is exponential
    }
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      double eta = w[0] + (kind == Kind.LINEAR ? 0 : units.centre());
      for (int j = 0; j < x.length; j++) {
        eta += w[1 + j] * x[j][i];
      }
      y[i] =
          kind == Kind.LINEAR
              ? eta + Math.exp(w[w.length - 1]) * random.nextGaussian()
              : random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : 0;
    }
    double[] truth = new double[space.constrainedSize()];
    space.constrain(units.toUser(w), truth);
    Likelihood simulated =
        kind == Kind.LINEAR
            ? new LinearLikelihood(x, y)
            : new CountLikelihood(x, y, units.centre(), false);
    return new Simulated(truth, new Regression(this, simulated));
  }

  private Likelihood likelihood(CsvTable table, Response response, double[][] x, double[] y) {
    if (kind != Kind.LINEAR) {
      return new CountLikelihood(x, y, units.centre(), kind == Kind.POISSON);
    }
    var linear = new LinearLikelihood(x, response.column().standardise(y));
    if (y.length > x.length + 1 && linear.unexplained() < EXPLAINED) {
      throw new UserException(
          "%s: \"%s\" is a linear function of the other columns to all digits; no error is left to estimate"
              .formatted(table.file(), response.column().name()));
    }
    return linear;
  }

  /**
   * A regression of a column of a CSV file on all others.
   *
   * @throws UserException where the file is no table of numbers, has no such column, or its
   *     responses are not of this kind
   */
  public static Regression read(Kind kind, Path file, String response) {
    return new Regression(kind, CsvTable.read(file), response);
  }

  /** Columns that were left out or renamed, and classes that can be separated, one line each. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** A fit that begins at the highest point of the posterior, as wide as it is there. */
  public Fit fitting() {
    return Cifvi.fitting(this)
        .initialPoint(units.toUser(mode.at()))
        .initialFactor(units.factorToUser(mode.factor()));
  }

  @Override
  public int dimensions() {
    return units.dimensions();
  }

  @Override
  public ParameterSpace parameters() {
    return space;
  }

  @Override
  public Calls calls() {
    return Calls.PARALLEL;
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double[] slope = new double[z.length];
    double logP = standardised(units.toStandard(z), slope);
    units.pullBack(slope, gradient);
    return logP + constant;
  }

  /** Likelihood and priors without their constants, of standardised coefficients. */
  private double standardised(double[] w, double[] gradient) {
    Arrays.fill(gradient, 0);
    double logP = likelihood.at(w, gradient);
    int coefficients = kind == Kind.LINEAR ? w.length - 1 : w.length;
    for (int i = 0; i < coefficients; i++) {
      logP -= 0.5 * w[i] * w[i] / (PRIOR_SD * PRIOR_SD);
      gradient[i] -= w[i] / (PRIOR_SD * PRIOR_SD);
    }
    if (kind == Kind.LINEAR) {
      double sigma = Math.exp(w[coefficients]);
      logP += w[coefficients] - sigma;
      gradient[coefficients] += 1 - sigma;
    }
    return logP;
  }
}
