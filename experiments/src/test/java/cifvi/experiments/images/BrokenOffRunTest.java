package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.tensor.Safetensors;
import cifvi.tensor.Scalars;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose steps cease to be finite is tested at its best epoch, and says so. */
class BrokenOffRunTest {
  private static final ImagesSpec SPEC = TinyImages.spec(ImageModel.VAE, 5, 50, 1e-2);

  @TempDir Path folder;

  @Test
  void theBestEpochIsTestedAndTheResultTellsWhereItBrokeOff() throws IOException {
    Path whole = folder.resolve("whole");
    Run.start(
        new ImagesExperiment(_ -> TinyImages.DATA),
        TinyImages.spec(ImageModel.VAE, 1, 50, 1e-2),
        whole,
        RunListener.SILENT);
    Path run = folder.resolve("run");
    assertThat(Run.start(new ImagesExperiment(_ -> TinyImages.DATA), SPEC, run, stopAfter(4)))
        .isEmpty();
    ruin(run.resolve("checkpoints/latest.safetensors"));
    var notes = new ArrayList<String>();
    ImagesResult result =
        Run.resume(
                new ImagesExperiment(_ -> TinyImages.DATA), run, Continuation.PLAIN, noting(notes))
            .orElseThrow();
    assertThat(result.brokeOffAtEpoch())
        .isEqualTo(5); // ten steps, three an epoch, after the fourth
    assertThat(result.epochs()).isEqualTo(4);
    assertThat(result.bestEpoch()).isEqualTo(1);
    assertThat(result.logLikelihood())
        .isEqualTo(ImagesResult.read(RunDirectory.read(whole)).logLikelihood());
    assertThat(notes)
        .anyMatch(note -> note.contains("non-finite") && note.contains("best epoch, 1"));
    assertThat(run.resolve("result.json")).content().contains("\"broke_off_at_epoch\" : 5");
  }

  @Test
  void aRunThatBreaksOffInItsFirstEpochHasNothingToTest() throws IOException {
    Path run = folder.resolve("run");
    assertThat(Run.start(new ImagesExperiment(_ -> TinyImages.DATA), SPEC, run, stopAfter(1)))
        .isEmpty();
    ruin(run.resolve("checkpoints/latest.safetensors"));
    assertThatThrownBy(
            () ->
                Run.resume(
                    new ImagesExperiment(_ -> TinyImages.DATA),
                    run,
                    Continuation.PLAIN,
                    RunListener.SILENT))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("non-finite");
    assertThat(run.resolve("result.json")).doesNotExist();
  }

  /** Makes a weight of the decoder infinite, so that no later step is finite. */
  private static void ruin(Path checkpoint) throws IOException {
    try (var _ = new PointerScope()) {
      var content = Safetensors.read(checkpoint);
      content.tensors().entrySet().stream()
          .filter(
              entry ->
                  entry.getKey().startsWith("target.decoder") && entry.getKey().endsWith("bias"))
          .forEach(entry -> entry.getValue().fill_(Scalars.of(Double.NaN)));
      var metadata = new TreeMap<>(content.metadata());
      metadata.remove("crc32c");
      metadata.put("crc32c", Long.toString(Safetensors.checksum(content.tensors(), metadata)));
      Safetensors.write(checkpoint, content.tensors(), metadata);
    }
  }

  private static RunListener stopAfter(long steps) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < steps;
      }
    };
  }

  private static RunListener noting(List<String> notes) {
    return new RunListener() {
      @Override
      public void note(String text) {
        notes.add(text);
      }
    };
  }
}
