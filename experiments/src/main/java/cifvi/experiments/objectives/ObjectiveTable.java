package cifvi.experiments.objectives;

import cifvi.experiments.files.CsvLog;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.images.Likelihoods;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.objectives.ObjectiveComparison.Row;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The lines of an {@link ObjectiveComparison} with what their runs came to.
 *
 * @param out folder of the runs
 * @param rows of one task, the ELBO first
 */
public record ObjectiveTable(Path out, List<Row> rows) {
  private static final String FORMAT = "%-6s %-8s %7s %9s  %17s  %17s  %20s";

  /**
   * One line. Of the mixture {@code bound} is the auxiliary ELBO and {@code likelihood} the
   * marginal one, errors and differences being over seeds; of images they are the ELBO and log p(x)
   * of the test set, errors and differences being over images.
   *
   * @param ahead of the line that is trained by the ELBO, in {@code likelihood}, paired
   */
  public record Line(
      String task,
      String objective,
      long steps,
      double msPerStep,
      long runs,
      double bound,
      double boundSe,
      double likelihood,
      double likelihoodSe,
      double ahead,
      double aheadSe) {}

  /** What a run came to: its bound and likelihood. */
  private record Outcome(long steps, Estimate bound, Estimate likelihood) {}

  public List<Line> lines() {
    return rows.stream().map(this::line).toList();
  }

  private Line line(Row row) {
    List<RunSpec> byElbo = rows.getFirst().runs();
    boolean several = row.runs().getFirst().kind().equals("mog");
    List<Outcome> outcomes = row.runs().stream().map(this::outcome).toList();
    Estimate bound = several ? over(outcomes, o -> o.bound.mean()) : outcomes.getFirst().bound;
    Estimate likelihood =
        several ? over(outcomes, o -> o.likelihood.mean()) : outcomes.getFirst().likelihood;
    Estimate ahead =
        several
            ? overSeeds(outcomes, byElbo.stream().map(this::outcome).toList())
            : overImages(row.runs().getFirst(), byElbo.getFirst());
    return new Line(
        row.task().toString(),
        row.objective().toString(),
        outcomes.getFirst().steps,
        row.ms(),
        outcomes.size(),
        bound.mean(),
        bound.standardError(),
        likelihood.mean(),
        likelihood.standardError(),
        ahead.mean(),
        ahead.standardError());
  }

  private Outcome outcome(RunSpec run) {
    RunDirectory directory = directory(run);
    if (run instanceof ImagesSpec) {
      var result = ImagesResult.read(directory);
      return new Outcome(
          result.steps(),
          new Estimate(result.elbo(), result.elboSe(), result.testImages()),
          new Estimate(
              Objects.requireNonNull(result.logLikelihood()),
              Objects.requireNonNull(result.logLikelihoodSe()),
              result.testImages()));
    }
    var result = MogResult.read(directory);
    return new Outcome(
        result.steps(),
        new Estimate(result.elbo(), result.elboSe(), 1),
        new Estimate(result.marginalElbo(), result.marginalElboSe(), 1));
  }

  private static Estimate over(List<Outcome> outcomes, ToDoubleFunction<Outcome> value) {
    var moments = new Moments();
    outcomes.forEach(outcome -> moments.add(value.applyAsDouble(outcome)));
    return moments.estimate();
  }

  private static Estimate overSeeds(List<Outcome> outcomes, List<Outcome> byElbo) {
    var moments = new Moments();
    for (int i = 0; i < outcomes.size(); i++) {
      moments.add(outcomes.get(i).likelihood.mean() - byElbo.get(i).likelihood.mean());
    }
    return moments.estimate();
  }

  /** Runs with the same seed are tested on the same binary images. */
  private Estimate overImages(RunSpec run, RunSpec byElbo) {
    int samples = ((ImagesSpec) run).importanceSamples();
    var key = new Likelihoods.Key(TestBinarisation.FRESH, samples, 0);
    return Likelihoods.difference(
        new Likelihoods(directory(run)).read(key), new Likelihoods(directory(byElbo)).read(key));
  }

  private RunDirectory directory(RunSpec run) {
    return RunDirectory.read(out.resolve(ObjectiveComparison.directory(run)));
  }

  /** Of the lines of all tasks. */
  public static String csv(List<Line> lines) {
    return CsvLog.text(Line.class, lines.stream());
  }

  /** As people read them. */
  public static List<String> text(List<Line> lines) {
    var text = new ArrayList<String>();
    text.add(
        FORMAT.formatted(
            "task",
            "trained",
            "steps",
            "ms/step",
            "ELBO",
            "L1, or log p(x)",
            "ahead of the ELBO's"));
    for (Line line : lines) {
      text.add(
          FORMAT.formatted(
              line.task,
              line.objective,
              line.steps,
              String.format(Locale.ROOT, "%.2f", line.msPerStep),
              text(line.bound, line.boundSe),
              text(line.likelihood, line.likelihoodSe),
              text(line.ahead, line.aheadSe)));
    }
    return text;
  }

  private static String text(double value, double error) {
    String known = String.format(Locale.ROOT, "%.3f", value);
    return Double.isNaN(error) ? known : known + String.format(Locale.ROOT, " ± %.3f", error);
  }
}
