package cifvi.density;

import cifvi.engine.Engines;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * r_X, a density that was estimated, in the units and with the columns of the data: log-likelihoods
 * of rows, draws, and a file.
 */
public final class FittedDensity implements AutoCloseable {
  /** Of a row whose log-likelihood is asked for without saying how many. */
  private static final int SAMPLES = 100;

  private final DensityShape shape;
  private final Standardisation units;
  private final int[] order;
  private final Model model;
  private final Engines.Kind engine;
  private final int threads;
  private final double validationElbo;

  FittedDensity(
      DensityShape shape,
      Standardisation units,
      int[] order,
      Model model,
      Engines.Kind engine,
      int threads,
      double validationElbo) {
    this.shape = shape;
    this.units = units;
    this.order = order;
    this.model = model;
    this.engine = engine;
    this.threads = threads;
    this.validationElbo = validationElbo;
  }

  /**
   * The density of a model that was trained.
   *
   * @param order the place in the data of each column, the given ones last
   */
  public static FittedDensity of(DensityEvaluation evaluation, int[] order, double validationElbo) {
    Model model = evaluation.model();
    var engine = Engines.choose("auto", model, new Objective.Elbo()).kind();
    return new FittedDensity(
        evaluation.shape(), evaluation.units(), order, model, engine, 1, validationElbo);
  }

  /** A density loaded from a file that {@link #save} wrote. */
  public static FittedDensity load(Path file) throws IOException {
    return DensityFile.read(file);
  }

  /** Writes all of it as one file. */
  public void save(Path file) throws IOException {
    DensityFile.write(file, this);
  }

  /**
   * log r_X of every row, from {@value #SAMPLES} importance samples each where the layers are
   * indexed; the values are then too small by what {@link RowLikelihood#bias} estimates.
   */
  public double[] logLikelihoods(double[][] rows) {
    return logLikelihoods(rows, SAMPLES, 1).stream().mapToDouble(RowLikelihood::value).toArray();
  }

  /**
   * The same from an even number of samples each, with what their halves say of the bias.
   *
   * @param rows with all columns of the data, given ones too
   */
  public List<RowLikelihood> logLikelihoods(double[][] rows, int samples, long seed) {
    try (LogWeights weights = Engines.logWeights(engine, model, threads)) {
      return evaluation(weights)
          .logLikelihoods(arranged(rows, order), samples, seed, 0, Progress.SILENT);
    }
  }

  /** The mean over the rows. */
  public Estimate logLikelihood(double[][] rows, int samples, long seed) {
    return RowLikelihood.mean(logLikelihoods(rows, samples, seed), RowLikelihood::value);
  }

  /** So many rows drawn from the density; for one that is conditional see {@link #drawsGiven}. */
  public double[][] draws(int count, long seed) {
    if (shape.given() > 0) {
      throw new IllegalArgumentException(
          "draws: %d columns are given: say their values with drawsGiven".formatted(shape.given()));
    }
    return evaluation(LogWeights.eager(model)).draws(count, seed);
  }

  /**
   * One draw of the modelled columns, in their order in the data, for every row of values of the
   * given columns.
   */
  public double[][] drawsGiven(double[][] given, long seed) {
    double[][] rows = new double[given.length][];
    for (int i = 0; i < given.length; i++) {
      if (given[i].length != shape.given()) {
        throw new IllegalArgumentException(
            "row %d: expected the %d given columns, got %d"
                .formatted(i + 1, shape.given(), given[i].length));
      }
      rows[i] = Arrays.copyOf(units.centre(), units.columns());
      System.arraycopy(given[i], 0, rows[i], shape.features(), shape.given());
    }
    return evaluation(LogWeights.eager(model)).draws(rows, seed);
  }

  /** The mean bound of the rows that training did not see, for the parameters it kept. */
  public double validationElbo() {
    return validationElbo;
  }

  /** Number of trained numbers. */
  public long parameters() {
    return model.parameters().count();
  }

  public DensityShape shape() {
    return shape;
  }

  Standardisation units() {
    return units;
  }

  int[] order() {
    return order;
  }

  Model model() {
    return model;
  }

  private DensityEvaluation evaluation(LogWeights weights) {
    return new DensityEvaluation(shape, units, model, weights);
  }

  /** Rows with their columns in another order. */
  static double[][] arranged(double[][] rows, int[] order) {
    double[][] arranged = new double[rows.length][order.length];
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].length != order.length) {
        throw new IllegalArgumentException(
            "row %d: expected %d columns, got %d".formatted(i + 1, order.length, rows[i].length));
      }
      for (int c = 0; c < order.length; c++) {
        arranged[i][c] = rows[i][order[c]];
      }
    }
    return arranged;
  }

  @Override
  public void close() {
    model.close();
  }
}
