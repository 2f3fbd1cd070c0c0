package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Image runs are extended, and their best epoch is the best of all. */
class ImagesContinuationTest {
  private static final double RATE = 0.03; // soon gets worse

  @TempDir private Path folder;

  private final List<String> notes = new ArrayList<>();

  private Path finished(String name, long epochs, int patience) {
    return start(name, epochs, patience, Long.MAX_VALUE);
  }

  private Path start(String name, long epochs, int patience, long stopAfter) {
    Path run = folder.resolve(name);
    Run.start(
        new ImagesExperiment(_ -> TinyImages.DATA),
        TinyImages.spec(ImageModel.VAE, epochs, patience, RATE),
        run,
        listener(stopAfter));
    return run;
  }

  private RunListener listener(long stopAfter) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < stopAfter;
      }

      @Override
      public void note(String text) {
        notes.add(text);
      }
    };
  }

  private Optional<ImagesResult> resume(Path run, Map<String, Long> larger) {
    return Run.resume(
        new ImagesExperiment(_ -> TinyImages.DATA),
        run,
        new Continuation(larger, false),
        listener(Long.MAX_VALUE));
  }

  private static void assertSame(Path whole, Path parts) throws IOException {
    for (String file :
        List.of(
            "spec.yaml",
            "checkpoints/latest.safetensors",
            "checkpoints/best.safetensors",
            "likelihoods/fresh-S4-0.csv",
            "likelihoods/fixed-S4-0.csv")) {
      assertThat(parts.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(result(parts)).isEqualTo(result(whole));
  }

  private static String result(Path run) throws IOException {
    return Files.readString(run.resolve("result.json"))
        .replaceAll("\"(seconds|ms_per_step)\" : [^,]*", "");
  }

  @Test
  void moreEpochsAreTheSameAsFromTheStart() throws IOException {
    Path whole = finished("whole", 4, 50);
    Path parts = finished("parts", 1, 50);
    assertThat(resume(parts, Map.of("epochs", 4L))).isPresent();
    assertSame(whole, parts);
    assertThat(parts.resolve("earlier/1/result.json")).exists();
  }

  @Test
  void morePatienceIsTheSameAsFromTheStart() throws IOException {
    Path whole = finished("whole", 30, 3);
    Path parts = finished("parts", 30, 0);
    String stopped = result(parts);
    assertThat(resume(parts, Map.of("patience", 3L))).isPresent();
    assertThat(result(parts)).isNotEqualTo(stopped);
    assertSame(whole, parts);
  }

  @Test
  void lessPatienceThanTheRunHadIsRefused() throws IOException {
    Path run = finished("run", 30, 3);
    assertThatThrownBy(() -> resume(run, Map.of("patience", 2L)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("--patience: expected at least the 3");
    Path spec = run.resolve("spec.yaml");
    Files.writeString(
        spec,
        Files.readString(spec)
            .replace("patience: 3", "patience: 1")
            .replace("epochs: 30", "epochs: 40"));
    Files.delete(run.resolve("result.json"));
    assertThatThrownBy(() -> resume(run, Map.of()))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll("spec.yaml: patience: the run has had 2 already");
  }

  /** A rename that a power loss has undone. */
  @Test
  void aBestEpochThatIsNotTheBestIsNeverTested() throws IOException {
    Path run = start("run", 3, 50, 4);
    Path best = run.resolve("checkpoints/best.safetensors");
    Path first = Files.copy(best, folder.resolve("first"));
    Run.resume(new ImagesExperiment(_ -> TinyImages.DATA), run, Continuation.PLAIN, listener(8));
    Files.copy(first, best, StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> resume(run, Map.of()))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll(
            "best.safetensors is of epoch 1, the best was epoch 2", "--restart");
    Files.delete(best);
    assertThatThrownBy(() -> resume(run, Map.of()))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll("its best epoch is lost", "--restart");
  }
}
