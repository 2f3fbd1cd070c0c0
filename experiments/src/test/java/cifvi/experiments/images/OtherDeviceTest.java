package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.BegunElsewhere;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs whose device is gone go on on another one when told. */
class OtherDeviceTest {
  private static final ImagesSpec SPEC =
      TinyImages.spec(ImageModel.VAE, 3, 50, 1e-3).with("engine", "auto");
  private static final String GONE = "cuda:99";

  @TempDir private Path folder;

  private final List<String> notes = new ArrayList<>();

  /** Stopped after so many steps; only the test is left where that is all of them. */
  private Path begunElsewhere(long steps) throws IOException {
    Path run = folder.resolve("run");
    TinyRuns.start(SPEC, run, TinyRuns.stopAfter(steps));
    Files.deleteIfExists(run.resolve("result.json"));
    try (var files = Files.walk(run)) {
      for (Path file : files.filter(path -> path.toString().contains("S4")).toList()) {
        Files.delete(file);
      }
    }
    BegunElsewhere.pretend(run, GONE, "graph", SPEC.growing());
    return run;
  }

  private Optional<ImagesResult> resume(Path run, Continuation how) {
    return Run.resume(
        new ImagesExperiment(_ -> TinyImages.DATA),
        run,
        how,
        new RunListener() {
          @Override
          public void note(String text) {
            notes.add(text);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {4, Long.MAX_VALUE})
  void aRunGoesOnOnAnotherDevice(long steps) throws IOException {
    ImagesResult whole =
        TinyRuns.start(SPEC, folder.resolve("whole"), RunListener.SILENT).orElseThrow();
    Path run = begunElsewhere(steps);
    ImagesResult result = resume(run, new Continuation(Map.of(), false, "cpu")).orElseThrow();
    assertThat(result)
        .usingRecursiveComparison()
        .ignoringFields("seconds", "msPerStep")
        .isEqualTo(whole);
    assertThat(notes).anyMatch(note -> note.startsWith("begun on " + GONE + ", goes on on cpu"));
    assertThat(run.resolve("spec.yaml")).content().contains("device: " + GONE);
    assertThat(run.resolve("provenance.json")).content().contains("\"device\" : \"cpu\"");
    assertThat(run.resolve("earlier/1/provenance.json")).content().contains(GONE);
  }

  @Test
  void whereItsDeviceIsGoneItIsLeftAlone() throws IOException {
    Path run = begunElsewhere(4);
    assertThatThrownBy(() -> resume(run, Continuation.PLAIN))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll("--device", "cpu");
    assertThat(run.resolve("provenance.json")).content().contains(GONE);
    assertThat(run.resolve("earlier")).doesNotExist();
  }
}
