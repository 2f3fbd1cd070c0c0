package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.data.ImageSet;
import cifvi.experiments.data.Split;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.nn.Images;
import cifvi.vi.LogWeights;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log-likelihood by which settings are chosen. */
class ValidationLikelihoodTest {
  private static final ImageSet TRAIN = TinyImages.DATA.train();
  private static final ImagesSpec SPEC = TinyImages.spec(ImageModel.VAE, 1, 1, 1e-3);

  @TempDir private Path folder;

  @Test
  void itIsOfTheImagesThatTheSplitKeepsFromTraining() {
    ImageSet images = SPEC.validationImages(TRAIN);
    int[] rows = Split.of(SPEC.seed(), TRAIN.count(), TRAIN.count() / 10).validation();
    assertThat(images.count()).isEqualTo(rows.length).isEqualTo(33);
    for (int i = 0; i < rows.length; i++) {
      assertThat(image(images, i)).isEqualTo(image(TRAIN, rows[i]));
      assertThat(images.labels()[i]).isEqualTo(TRAIN.labels()[rows[i]]);
    }
    assertThat(SPEC.trainImages(TRAIN)).doesNotContain(rows).hasSize(TRAIN.count() - rows.length);
  }

  private static byte[] image(ImageSet images, int row) {
    return Arrays.copyOfRange(images.pixels(), row * Images.PIXELS, (row + 1) * Images.PIXELS);
  }

  @Test
  void itGoesOnWhereItWasAndLeavesTheResultAlone() throws IOException {
    TinyRuns.start(SPEC, folder.resolve("run"), RunListener.SILENT);
    var directory = RunDirectory.read(folder.resolve("run"));
    String result = Files.readString(directory.file("result.json"));
    ImageSet images = SPEC.validationImages(TRAIN);
    try (var trained = Run.load(new ImagesExperiment(), directory, null, RunListener.SILENT)) {
      var weights = LogWeights.eager(trained.model());
      var evaluation = new ImagesEvaluation(trained.model(), weights, SPEC.seed());
      var likelihoods = new Likelihoods(directory);
      likelihoods.ofValidation(evaluation, images, 10, 5, Progress.SILENT);
      Path file = directory.file("likelihoods/validation-S5.csv");
      var first = CsvLog.read(file, ImageRow.class);
      assertThat(first).hasSize(10);
      var all = likelihoods.ofValidation(evaluation, images, 33, 5, Progress.SILENT);
      var rows = CsvLog.read(file, ImageRow.class);
      assertThat(rows).hasSize(33);
      for (int i = 0; i < first.size(); i++) { // made once more, among more images
        assertThat(rows.get(i).logLikelihood())
            .isCloseTo(first.get(i).logLikelihood(), within(1e-3));
      }
      double mean = rows.stream().mapToDouble(ImageRow::logLikelihood).average().orElseThrow();
      assertThat(all.mean()).isCloseTo(mean, within(1e-9));
    }
    assertThat(directory.file("result.json")).hasContent(result);
    assertThat(directory.file("evaluations.csv")).doesNotExist();
  }
}
