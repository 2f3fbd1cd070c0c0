package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.posterior.Placement;
import cifvi.tensor.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run is extended or begun again as asked; whatever does not fit is refused, untouched. */
class MogContinuationTest {
  private static final String LATEST = "checkpoints/latest.safetensors";
  private static final Continuation RESTART = new Continuation(Map.of(), true);

  @TempDir private Path folder;

  private final List<String> notes = new ArrayList<>();

  private static MogSpec spec(String schedule, long steps) {
    MogSpec spec = MogRunTest.spec(MogSpec.Flow.NSF, Placement.PAPER, MogSpec.Average.EMA);
    return MogSpec.parse(
        spec.yaml()
            .replace("lr_schedule: cosine", "lr_schedule: " + schedule)
            .replace("steps: 12", "steps: " + steps));
  }

  private static Continuation steps(long steps) {
    return new Continuation(Map.of("steps", steps), false);
  }

  private Path start(String name, String schedule, long steps, long stopAfter) {
    Path run = folder.resolve(name);
    Run.start(new MogExperiment(MogRunTest.SMALL), spec(schedule, steps), run, listener(stopAfter));
    return run;
  }

  private Path finished(String name, long steps) {
    return start(name, "constant", steps, Long.MAX_VALUE);
  }

  private RunListener listener(long stopAfter) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < stopAfter;
      }

      @Override
      public void note(String line) {
        notes.add(line);
      }
    };
  }

  private Optional<MogResult> resume(Path run, Continuation how) {
    return Run.resume(new MogExperiment(MogRunTest.SMALL), run, how, listener(Long.MAX_VALUE));
  }

  private void assertRefused(Path run, Continuation how, String... words) throws IOException {
    Map<String, String> before = contents(run);
    assertThatThrownBy(() -> resume(run, how))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll(words);
    assertThat(contents(run)).isEqualTo(before);
  }

  private static Map<String, String> contents(Path run) throws IOException {
    var contents = new TreeMap<String, String>();
    try (var files = Files.walk(run)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        contents.put(run.relativize(file).toString(), Arrays.toString(bytes));
      }
    }
    contents.remove("lock");
    return contents;
  }

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

  @Test
  void aRunWhoseCheckpointsAreGoneSaysSoAndBeginsAgainWhenTold() throws IOException {
    Path whole = finished("whole", 6);
    Path run = start("run", "constant", 6, 4);
    delete(run);
    assertRefused(run, Continuation.PLAIN, "no good checkpoint", "--restart");
    assertThat(resume(run, RESTART)).isPresent();
    MogRunTest.assertSameRun(whole, run);
    assertThat(run.resolve("earlier/1/metrics.csv")).content().hasLineCount(5);
  }

  @Test
  void aFinishedRunWithoutCheckpointsIsNotSentInACircle() throws IOException {
    Path run = finished("run", 5);
    delete(run);
    assertThat(resume(run, Continuation.PLAIN)).isPresent();
    assertThat(notes).contains(run + " is finished");
    assertRefused(run, steps(9), "no good checkpoint", "--restart");
    assertThatThrownBy(
            () -> Run.load(new MogExperiment(), RunDirectory.read(run), null, RunListener.SILENT))
        .hasMessageContainingAll("no good checkpoint", "--restart");
    assertThat(resume(run, RESTART)).isPresent();
  }

  private static void delete(Path run) throws IOException {
    Files.delete(run.resolve(LATEST));
    Files.delete(run.resolve("checkpoints/previous.safetensors"));
  }

  @Test
  void anOlderCheckpointIsNotTakenForTheModelOfTheResult() throws IOException {
    Path whole = finished("whole", 6);
    Path run = start("run", "constant", 6, 3);
    assertThat(resume(run, Continuation.PLAIN)).isPresent();
    Files.write(run.resolve(LATEST), new byte[9]);
    assertThatThrownBy(
            () -> Run.load(new MogExperiment(), RunDirectory.read(run), null, RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll("previous.safetensors: is of step 3, result.json of 6");
    Files.delete(run.resolve("result.json"));
    assertThat(resume(run, Continuation.PLAIN)).isPresent();
    MogRunTest.assertSameRun(whole, run);
  }

  /** Both of what a power loss can do to a file that was not synced, and a removed one. */
  @ParameterizedTest
  @ValueSource(strings = {"behind", "garbage", "missing"})
  void metricsBehindTheCheckpointLeadToThePreviousOne(String how) throws IOException {
    Path whole = finished("whole", 9);
    Path run = start("run", "constant", 9, 3);
    Run.resume(new MogExperiment(MogRunTest.SMALL), run, Continuation.PLAIN, listener(6));
    Path metrics = run.resolve("metrics.csv");
    List<String> lines = Files.readAllLines(metrics);
    assertThat(lines).hasSize(7);
    String kept = String.join("\n", lines.subList(0, 5));
    switch (how) {
      case "behind" -> Files.writeString(metrics, kept + "\n4,-0.");
      case "garbage" -> Files.writeString(metrics, kept + "\n\0\0\0\n5,0,0,0,0\n");
      default -> Files.delete(metrics);
    }
    if (how.equals("missing")) {
      assertRefused(run, Continuation.PLAIN, "metrics.csv has good lines for 0", "--restart");
      return;
    }
    assertThat(resume(run, Continuation.PLAIN)).isPresent();
    assertThat(notes)
        .anyMatch(
            note ->
                note.contains("latest.safetensors")
                    && note.contains("metrics.csv has good lines for 4 steps only"));
    MogRunTest.assertSameRun(whole, run);
  }

  @Test
  void aRunKilledBeforeItsProvenanceGetsOne() throws IOException {
    Path run = start("run", "constant", 5, 3);
    String provenance = Files.readString(run.resolve("provenance.json"));
    Files.delete(run.resolve("provenance.json"));
    assertThat(resume(run, Continuation.PLAIN)).isPresent();
    assertThat(run.resolve("provenance.json")).hasContent(provenance);
  }
}
