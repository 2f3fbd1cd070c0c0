package cifvi.cli.report.images;

import cifvi.cli.plot.ImagesFigures;
import cifvi.cli.report.RunFiles;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.figures.ImagesPicture;
import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.ImagesExperiment;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.images.Likelihoods;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Estimate;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One image run as the page needs it.
 *
 * @param result absent while the run is unfinished
 * @param drawn absent where there is no model to draw yet
 */
public record ImagesReportRun(
    RunFiles files,
    ImagesSpec spec,
    Optional<ImagesResult> result,
    List<EpochRow> epochs,
    Likelihoods likelihoods,
    ImagesFigures figures,
    Optional<Drawn> drawn) {
  /**
   * What was drawn of a model besides samples, which need no data.
   *
   * @param missing why it could not be shown what it does with images
   */
  public record Drawn(Optional<ImagesFigures.OfImages> ofImages, Optional<String> missing) {}

  /** Reads a run and draws its figures into a folder; {@code data} finds the images. */
  public static ImagesReportRun read(
      RunDirectory directory,
      @Nullable String device,
      Function<ImagesSpec, ImageData> data,
      Path folder) {
    ImagesSpec spec = RunFiles.spec(directory, ImagesSpec::parse);
    List<EpochRow> epochs = EpochRow.read(directory);
    var figures = new ImagesFigures(folder);
    figures.writeCurves(epochs);
    return new ImagesReportRun(
        RunFiles.read(directory),
        spec,
        directory.has("result.json") ? Optional.of(ImagesResult.read(directory)) : Optional.empty(),
        epochs,
        new Likelihoods(directory),
        figures,
        RunFiles.hasModel(directory)
            ? Optional.of(draw(directory, device, spec, figures, data))
            : Optional.empty());
  }

  private static Drawn draw(
      RunDirectory directory,
      @Nullable String device,
      ImagesSpec spec,
      ImagesFigures figures,
      Function<ImagesSpec, ImageData> data) {
    try (var trained = Run.load(new ImagesExperiment(), directory, device, RunListener.SILENT)) {
      var picture = new ImagesPicture(trained.model(), spec.decoder().latent(), spec.seed());
      figures.writeSamples(picture);
      ImageData images;
      try {
        images = data.apply(spec);
      } catch (UserException e) {
        return new Drawn(Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
      }
      return new Drawn(Optional.of(figures.writeOfImages(picture, images)), Optional.empty());
    }
  }

  /** How far the ELBO lies below log p(x) on the freshly binarised test set. */
  public Optional<Estimate> gap() {
    return result
        .flatMap(r -> Optional.ofNullable(r.importanceSamples()))
        .map(samples -> new Likelihoods.Key(TestBinarisation.FRESH, samples, 0))
        .map(likelihoods::read)
        .filter(rows -> rows.size() > 1)
        .map(Likelihoods::gap);
  }
}
