package cifvi.cli.report.mog;

import cifvi.cli.plot.Numerals;
import cifvi.cli.plot.RunFigures;
import cifvi.cli.report.RunFiles;
import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.MogPicture;
import cifvi.experiments.mog.MogExperiment;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.StepRow;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One mixture run as the page needs it.
 *
 * @param result absent while the run is unfinished
 * @param drawn absent where there is no model to draw yet
 */
public record MogReportRun(
    RunFiles files,
    MogSpec spec,
    Optional<MogResult> result,
    Curve curve,
    RunFigures figures,
    Optional<RunFigures.Drawn> drawn) {
  private static final int CURVE_POINTS = 400;

  /** Reads a run and draws its figures into a folder. */
  public static MogReportRun read(RunDirectory directory, @Nullable String device, Path folder) {
    MogSpec spec = RunFiles.spec(directory, MogSpec::parse);
    Optional<MogResult> result =
        directory.has("result.json") ? Optional.of(MogResult.read(directory)) : Optional.empty();
    Curve curve = Curve.of(StepRow.read(directory), CURVE_POINTS);
    var figures = new RunFigures(folder);
    figures.write(curve);
    return new MogReportRun(
        RunFiles.read(directory),
        spec,
        result,
        curve,
        figures,
        draw(directory, device, spec, figures, title(result, curve)));
  }

  private static String title(Optional<MogResult> result, Curve curve) {
    return result
        .map(r -> "marginal ELBO = " + Numerals.title(r.marginalElbo()))
        .orElse("unfinished, " + Numerals.whole(curve.done()) + " steps");
  }

  private static Optional<RunFigures.Drawn> draw(
      RunDirectory directory,
      @Nullable String device,
      MogSpec spec,
      RunFigures figures,
      String title) {
    if (!RunFiles.hasModel(directory)) {
      return Optional.empty();
    }
    try (var trained = Run.load(new MogExperiment(), directory, device, RunListener.SILENT);
        var weights = trained.weights()) {
      var picture =
          new MogPicture(trained.model(), spec.seed(), Frame.ofMixture(spec.components()));
      return Optional.of(figures.write(picture, weights, title));
    }
  }

  public boolean isCif() {
    return spec.model().cif();
  }
}
