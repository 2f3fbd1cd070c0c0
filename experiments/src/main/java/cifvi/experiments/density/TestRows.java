package cifvi.experiments.density;

import cifvi.density.DensityEvaluation;
import cifvi.density.RowLikelihood;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.run.RunDirectory;
import cifvi.vi.Estimate;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The test log-likelihoods of a run: row by row in {@code likelihoods/}, so that two models are
 * compared on the same rows, and a line of {@code evaluations.csv} for every estimate.
 */
public record TestRows(RunDirectory directory) {
  private static final String FOLDER = "likelihoods";
  private static final String EVALUATIONS = "evaluations.csv";

  /** One test row. */
  public record Row(long row, double logLikelihood, double logLikelihoodHalf, double elbo) {
    private RowLikelihood likelihood() {
      return new RowLikelihood(logLikelihood, logLikelihoodHalf, elbo);
    }
  }

  /** Means over the rows. */
  public record Means(
      int samples, long repeat, Estimate logLikelihood, Estimate elbo, double bias) {
    private static Means of(int samples, long repeat, List<RowLikelihood> rows) {
      return new Means(
          samples,
          repeat,
          RowLikelihood.mean(rows, RowLikelihood::value),
          RowLikelihood.mean(rows, RowLikelihood::elbo),
          RowLikelihood.mean(rows, RowLikelihood::bias).mean());
    }

    /** The log-likelihood without the bias of its first order. */
    public double jackknife() {
      return logLikelihood.mean() - bias;
    }

    private void into(ObjectNode result) {
      result.put("elbo", elbo.mean());
      result.put("elbo_se", elbo.standardError());
      result.put("log_likelihood", logLikelihood.mean());
      result.put("log_likelihood_se", logLikelihood.standardError());
      result.put("log_likelihood_bias", bias);
      result.put("log_likelihood_jackknife", jackknife());
      result.put("importance_samples", samples);
    }
  }

  /** A line of {@code evaluations.csv}. */
  public record Line(
      long importanceSamples,
      long repeat,
      double logLikelihood,
      double logLikelihoodSe,
      double logLikelihoodBias,
      double elbo) {}

  /**
   * Finds the values of all rows, or takes those that are known.
   *
   * @param repeat number of the evaluation, each having noise of its own
   */
  public Means estimate(
      DensityEvaluation evaluation,
      double[][] rows,
      int samples,
      long seed,
      long repeat,
      Progress progress) {
    List<RowLikelihood> known = known(samples, repeat);
    if (known.size() == rows.length) {
      return Means.of(samples, repeat, known);
    }
    List<RowLikelihood> found = evaluation.logLikelihoods(rows, samples, seed, repeat, progress);
    write(samples, repeat, found);
    return Means.of(samples, repeat, found);
  }

  private List<RowLikelihood> known(int samples, long repeat) {
    return directory.has(file(samples, repeat))
        ? read(samples, repeat).stream().map(Row::likelihood).toList()
        : List.of();
  }

  private void write(int samples, long repeat, List<RowLikelihood> found) {
    Path file = directory.file(file(samples, repeat));
    directory.createFolder(FOLDER);
    try (var log = CsvLog.from(file, Row.class, 0)) {
      IntStream.range(0, found.size())
          .mapToObj(i -> new Row(i, found.get(i).value(), found.get(i).half(), found.get(i).elbo()))
          .forEach(log::add);
    }
  }

  /** The values of all rows. */
  public List<Row> read(int samples, long repeat) {
    return CsvLog.read(directory.file(file(samples, repeat)), Row.class);
  }

  private static String file(int samples, long repeat) {
    return FOLDER + "/S%d-%d.csv".formatted(samples, repeat);
  }

  /** Keeps an estimate; the first of repeats becomes that of the run, unless it has a better. */
  public boolean keep(Means means) {
    var line =
        new Line(
            means.samples,
            means.repeat,
            means.logLikelihood.mean(),
            means.logLikelihood.standardError(),
            means.bias,
            means.elbo.mean());
    if (!CsvLog.read(directory.file(EVALUATIONS), Line.class).contains(line)) {
      CsvLog.append(directory.file(EVALUATIONS), Line.class, line);
    }
    if (means.repeat > 0 || means.samples < DensityResult.read(directory).importanceSamples()) {
      return false;
    }
    ObjectNode result = directory.result();
    means.into(result);
    directory.writeResult(result);
    return true;
  }
}
