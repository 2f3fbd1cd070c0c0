package cifvi.cli.report.density;

import cifvi.cli.plot.DensityFigure;
import cifvi.cli.plot.DrawsFigure;
import cifvi.cli.plot.Numerals;
import cifvi.cli.report.RunFiles;
import cifvi.experiments.density.DensityExperiment;
import cifvi.experiments.density.DensityPicture;
import cifvi.experiments.density.DensityResult;
import cifvi.experiments.density.DensitySample;
import cifvi.experiments.density.DensitySpec;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One density run as the page needs it.
 *
 * @param result absent while the run is unfinished
 * @param figures the folder they are drawn in
 */
public record DensityReportRun(
    RunFiles files,
    DensitySpec spec,
    Optional<DensityResult> result,
    List<EpochRow> epochs,
    Path figures) {
  static final String DENSITY = "density.png";
  private static final int DRAWS = 4000;

  /** Reads a run and draws its figures into a folder. */
  public static DensityReportRun read(
      RunDirectory directory, @Nullable String device, Path folder) {
    DensitySpec spec = RunFiles.spec(directory, yaml -> RunSpec.parse(yaml, DensitySpec.class));
    var experiment = new DensityExperiment();
    Optional<DensityResult> result = experiment.result(directory, spec);
    if (result.isPresent()) {
      draw(experiment, directory, device, folder, result.get());
    }
    return new DensityReportRun(
        RunFiles.read(directory), spec, result, EpochRow.readWhileGood(directory), folder);
  }

  private static void draw(
      DensityExperiment experiment,
      RunDirectory directory,
      @Nullable String device,
      Path folder,
      DensityResult result) {
    try (var trained = Run.load(experiment, directory, device, RunListener.SILENT);
        var weights = trained.weights()) {
      DensitySpec spec = trained.spec();
      var data = experiment.data(spec);
      var evaluation = experiment.evaluation(spec, trained.model(), weights);
      if (data.plane()) {
        String title = "log-likelihood " + Numerals.title(result.logLikelihood());
        DensityFigure.write(
            new DensityPicture(data, evaluation, spec.seed()), title, folder.resolve(DENSITY));
      }
      DrawsFigure.write(new DensitySample(data, evaluation).draws(DRAWS, spec.seed()), folder);
    }
  }

  boolean has(String figure) {
    return result.isPresent() && Files.exists(figures.resolve(figure));
  }
}
