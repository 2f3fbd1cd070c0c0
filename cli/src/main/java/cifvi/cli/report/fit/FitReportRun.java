package cifvi.cli.report.fit;

import cifvi.Draws;
import cifvi.FittedPosterior;
import cifvi.cli.plot.DrawsFigure;
import cifvi.cli.plot.RanksFigure;
import cifvi.cli.plot.RunFigures;
import cifvi.cli.report.RunFiles;
import cifvi.experiments.figures.Curve;
import cifvi.experiments.fit.FitExperiment;
import cifvi.experiments.fit.FitResult;
import cifvi.experiments.fit.FitSpec;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.run.StepRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One fit as the page needs it.
 *
 * @param result absent while the fit is unfinished
 * @param figures the folder they are drawn in
 */
public record FitReportRun(
    RunFiles files, FitSpec spec, Optional<FitResult> result, Curve curve, Path figures) {
  static final String RANKS = "ranks.png";
  private static final int CURVE_POINTS = 400;

  /** Reads a run and draws its figures into a folder. */
  public static FitReportRun read(RunDirectory directory, Path folder) {
    FitSpec spec = RunFiles.spec(directory, yaml -> RunSpec.parse(yaml, FitSpec.class));
    Optional<FitResult> result = new FitExperiment().result(directory, spec);
    Curve curve = Curve.of(StepRow.read(directory), CURVE_POINTS);
    new RunFigures(folder).write(curve);
    if (result.isPresent()) {
      try (FittedPosterior posterior = FitExperiment.load(directory)) {
        Draws draws = posterior.draws(spec.draws());
        DrawsFigure.write(draws, folder);
        if (result.get().calibration() != null) {
          RanksFigure.write(result.get().calibration(), folder.resolve(RANKS));
        }
      }
    }
    return new FitReportRun(RunFiles.read(directory), spec, result, curve, folder);
  }

  public boolean has(String figure) {
    return result.isPresent() && Files.exists(figures.resolve(figure));
  }
}
