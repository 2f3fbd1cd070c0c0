package cifvi.cli.kind;

import cifvi.Draws;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.report.Contents;
import cifvi.cli.report.FigureFolders;
import cifvi.experiments.files.UserException;
import cifvi.experiments.parts.PartRow;
import cifvi.experiments.run.Experiment;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunResult;
import cifvi.experiments.run.RunSpec;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the commands need to know of a kind of run, so that none of them tells kinds apart.
 *
 * @param <S> its settings
 * @param <R> its result
 */
public interface RunKind<S extends RunSpec, R extends RunResult> {
  /** The value of {@code kind} in {@code spec.yaml}, and the command that makes such a run. */
  String name();

  /**
   * How it is trained and evaluated.
   *
   * @param dataDir where data is now; null for where each spec says
   */
  Experiment<S, R> experiment(@Nullable Path dataDir);

  /** Shows a run on stderr and stops it when Ctrl-C asks for it. */
  RunListener console(S spec, Interrupt interrupt);

  /** Prints a result for people. */
  void print(PrintWriter out, R result);

  /** Makes the estimates of a finished run that the options ask for, and prints them. */
  void evaluate(
      RunDirectory directory,
      S spec,
      EvaluateOptions options,
      PrintWriter out,
      Interrupt interrupt);

  /** Computes a part of such an estimate for another machine. */
  default List<PartRow> part(RunDirectory directory, PartRequest request) {
    throw new UserException(directory.path() + ": is evaluated on one machine");
  }

  /** Reads runs for the page about them, and draws their figures. */
  Contents contents(
      List<RunDirectory> runs,
      @Nullable Path dataDir,
      @Nullable String device,
      FigureFolders figures);

  /**
   * Draws of the posterior of a finished run, with both densities.
   *
   * @param seed null for that of the run
   */
  default Draws draws(RunDirectory directory, int count, @Nullable Long seed) {
    throw new UserException(
        "%s is a run of kind %s, which has no posterior of parameters to draw from: use a fit"
            .formatted(directory.path(), name()));
  }

  /** Likewise, where the run is finished. */
  default void evaluate(
      RunDirectory directory, EvaluateOptions options, PrintWriter out, Interrupt interrupt) {
    Experiment<S, R> experiment = experiment(options.dataDir());
    S spec = RunSpec.read(directory, experiment.specType());
    if (experiment.result(directory, spec).isEmpty()) {
      throw new UserException(
          directory.path() + " is not finished: go on with cifvi resume " + directory.path());
    }
    evaluate(directory, spec, options, out, interrupt);
  }

  /** Refuses settings whose runs would lack something; what several need is looked at once. */
  default Consumer<RunSpec> requirements() {
    Experiment<S, R> experiment = experiment(null);
    return spec -> experiment.require(experiment.specType().cast(spec));
  }
}
