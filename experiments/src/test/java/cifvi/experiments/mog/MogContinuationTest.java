package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.run.Continuation;
import cifvi.tensor.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run is extended as asked; whatever does not fit is refused, untouched. */
class MogContinuationTest extends ContinuedRuns {
  @ParameterizedTest
  @ValueSource(longs = {3, Long.MAX_VALUE})
  void anExtendedRunEndsAsOneThatWasMeantSo(long stopAfter) throws IOException {
    Path whole = finished("whole", 9);
    Path parts = start("parts", "constant", 5, stopAfter);
    assertThat(resume(parts, steps(9))).isPresent();
    assertExtended(whole, parts);
    assertThat(Files.exists(parts.resolve("earlier/1/result.json"))).isEqualTo(stopAfter > 5);
  }

  /** A user may have written the spec as {@code {kind: mog, steps: 5}}. */
  @Test
  void aSpecInAnotherStyleIsExtendedToo() throws IOException {
    Path whole = finished("whole", 9);
    Path parts = finished("parts", 5);
    Path spec = parts.resolve("spec.yaml");
    Files.writeString(spec, "{" + String.join(", ", Files.readAllLines(spec)) + "}\n");
    assertThat(resume(parts, Continuation.PLAIN).orElseThrow().steps()).isEqualTo(5);
    assertThat(resume(parts, steps(9))).isPresent();
    assertExtended(whole, parts);
  }

  private static void assertExtended(Path whole, Path parts) throws IOException {
    MogRunTest.assertSameRun(whole, parts);
    assertThat(parts.resolve("spec.yaml")).hasSameBinaryContentAs(whole.resolve("spec.yaml"));
    assertThat(parts.resolve("evaluations.csv")).doesNotExist();
  }

  @Test
  void evaluationsOfTheShorterRunAreSetAside() throws IOException {
    Path whole = finished("whole", 7);
    Path parts = finished("parts", 5);
    Files.writeString(parts.resolve("evaluations.csv"), "outer,inner\n1,1\n");
    assertThat(resume(parts, steps(7))).isPresent();
    assertExtended(whole, parts);
    assertThat(parts.resolve("earlier/1/evaluations.csv")).hasContent("outer,inner\n1,1\n");
  }

  /** The spec is replaced first; a kill may come after it, and after the result is set aside. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExtensionKilledAtItsBeginningIsGoneOnWith(boolean setAside) throws IOException {
    Path whole = finished("whole", 7);
    Path parts = finished("parts", 5);
    Files.writeString(parts.resolve("spec.yaml"), Files.readString(whole.resolve("spec.yaml")));
    if (setAside) {
      Files.createDirectories(parts.resolve("earlier/1"));
      Files.move(parts.resolve("result.json"), parts.resolve("earlier/1/result.json"));
    }
    assertThat(resume(parts, Continuation.PLAIN)).isPresent();
    assertExtended(whole, parts);
    assertThat(parts.resolve("earlier/1/result.json")).exists();
    assertThat(parts.resolve("earlier/2")).doesNotExist();
  }

  /** Their spec is known to the letter, the lines that may grow included. */
  @Test
  void checkpointsOfTheFirstFormatAreExtendedToo() throws Exception {
    Path whole = finished("whole", 7);
    Path parts = finished("parts", 5);
    byte[] spec = Files.readAllBytes(parts.resolve("spec.yaml"));
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(spec);
    for (String name : List.of(LATEST, "checkpoints/previous.safetensors")) {
      try (var _ = new PointerScope()) {
        var content = Safetensors.read(parts.resolve(name));
        var metadata = new TreeMap<>(content.metadata());
        metadata.put("format", "cifvi-checkpoint-1");
        metadata.put("spec", HexFormat.of().formatHex(hash));
        metadata.put("crc32c", Long.toString(Safetensors.checksum(content.tensors())));
        Safetensors.write(parts.resolve(name), content.tensors(), metadata);
      }
    }
    assertThat(resume(parts, steps(7))).isPresent();
    assertExtended(whole, parts);
  }

  @Test
  void theSameNumberOfStepsIsNoExtension() throws IOException {
    Path run = finished("run", 5);
    Map<String, String> before = contents(run);
    assertThat(resume(run, steps(5))).isPresent();
    assertThat(notes).contains(run + " is finished");
    assertThat(contents(run)).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "steps, 4, at least the 5",
    "epochs, 9, is not for runs of kind mog",
  })
  void whatIsNoExtensionIsRefused(String key, long value, String words) throws IOException {
    Path run = finished("run", 5);
    assertRefused(run, new Continuation(Map.of(key, value), false), "--" + key, words);
  }

  @Test
  void aCosineEndsWithItsRun() throws IOException {
    Path run = start("run", "cosine", 5, 3);
    assertRefused(run, steps(9), "--steps", "start a new run");
    Files.writeString(
        run.resolve("spec.yaml"),
        Files.readString(run.resolve("spec.yaml")).replace("steps: 5", "steps: 9"));
    assertRefused(run, Continuation.PLAIN, "another spec.yaml");
  }

  @ParameterizedTest
  @CsvSource({
    "seed: 7, seed: 8, another spec.yaml",
    "clip: 5.0, clip: 4.0, another spec.yaml",
    "steps: 9, steps: 2, steps: the run has done 4 already",
  })
  void anEditedSpecIsRefusedUntouched(String from, String to, String words) throws IOException {
    Path run = start("run", "constant", 9, 4);
    String spec = Files.readString(run.resolve("spec.yaml"));
    assertThat(spec).contains(from);
    Files.writeString(run.resolve("spec.yaml"), spec.replace(from, to));
    assertRefused(run, Continuation.PLAIN, words);
    Files.writeString(run.resolve("spec.yaml"), spec);
    assertThat(resume(run, Continuation.PLAIN)).isPresent();
  }
}
