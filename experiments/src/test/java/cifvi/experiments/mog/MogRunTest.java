package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.experiments.files.UserException;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.LrSchedule;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.StepRow;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run can be stopped, damaged and gone on with, and ends with the same bits. */
class MogRunTest {
  private static final String LATEST = "checkpoints/latest.safetensors";
  private static final String PREVIOUS = "checkpoints/previous.safetensors";

  static final MogExperiment.EvaluationSize SMALL =
      new MogExperiment.EvaluationSize(100, 50, 3, 100);

  @TempDir Path folder;

  static MogSpec spec(MogSpec.Flow model, Placement placement, Average average) {
    return spec(model, placement, average, "eager", 1);
  }

  private static MogSpec spec(
      MogSpec.Flow model, Placement placement, Average average, String engine, int threads) {
    return new MogSpec(
        MogSpec.KIND,
        model,
        9,
        Sigma0.parse("learn"),
        3,
        placement,
        12,
        20,
        1e-3,
        LrSchedule.COSINE,
        average,
        5,
        null,
        null,
        MogModel.R.NORMAL,
        NamedObjective.ELBO,
        null,
        7,
        threads,
        Precision.FLOAT32,
        engine,
        "cpu",
        false);
  }

  private static MogSpec cif() {
    return spec(MogSpec.Flow.CIF_NSF, Placement.PAPER, Average.EMA);
  }

  /** Stops after a number of steps and remembers what was said. */
  private static final class StopAfter implements RunListener {
    final long steps;
    final List<String> notes = new ArrayList<>();

    StopAfter(long steps) {
      this.steps = steps;
    }

    @Override
    public boolean step(long done, long of, double elbo) {
      return done < steps;
    }

    @Override
    public void note(String line) {
      notes.add(line);
    }
  }

  private static Optional<MogResult> start(MogSpec spec, Path out, RunListener listener) {
    return Run.start(new MogExperiment(SMALL), spec, out, listener);
  }

  private static Optional<MogResult> resume(Path path, RunListener listener) {
    return Run.resume(new MogExperiment(SMALL), path, Continuation.PLAIN, listener);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 11})
  void aStoppedRunEndsWithTheSameBits(int stopAfter) throws IOException {
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    assertThat(start(cif(), whole, RunListener.SILENT)).isPresent();
    assertThat(start(cif(), parts, new StopAfter(stopAfter))).isEmpty();
    assertThat(resume(parts, RunListener.SILENT)).isPresent();
    assertSameRun(whole, parts);
  }

  @Test
  void theFusedEngineIsChosenAndResumesWithTheSameBits() throws IOException {
    int bits = FloatVector.SPECIES_PREFERRED.vectorBitSize();
    assumeTrue(bits >= 256, "the fused engine needs vectors of 256 bits, these have " + bits);
    MogSpec spec = spec(MogSpec.Flow.CIF_NSF, Placement.RELEASED, Average.NONE, "auto", 2);
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    var listener = new StopAfter(Long.MAX_VALUE);
    assertThat(start(spec, whole, listener).orElseThrow().engine()).isEqualTo("fused");
    assertThat(listener.notes).anyMatch(note -> note.contains("fused (hand-written kernels"));
    assertThat(Files.readString(whole.resolve("spec.yaml"))).contains("engine: fused");
    assertThat(start(spec, parts, new StopAfter(5))).isEmpty();
    assertThat(resume(parts, RunListener.SILENT)).isPresent();
    assertSameRun(whole, parts);
  }

  @Test
  void aDamagedCheckpointIsReportedAndThePreviousOneUsed() throws IOException {
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    assertThat(start(cif(), whole, RunListener.SILENT)).isPresent();
    start(cif(), parts, new StopAfter(4));
    resume(parts, new StopAfter(8));
    assertThat(parts.resolve(PREVIOUS)).exists();
    byte[] bytes = Files.readAllBytes(parts.resolve(LATEST));
    bytes[bytes.length - 5] ^= 1;
    Files.write(parts.resolve(LATEST), bytes);
    var listener = new StopAfter(Long.MAX_VALUE);
    assertThat(resume(parts, listener)).isPresent();
    assertThat(listener.notes)
        .anyMatch(note -> note.contains("latest.safetensors") && note.contains("checksum"));
    assertSameRun(whole, parts);
  }

  @Test
  void truncatedAndForeignCheckpointsAreRefusedWithTheReason() throws IOException {
    Path run = folder.resolve("run");
    Path other = folder.resolve("other");
    start(cif(), run, new StopAfter(4));
    start(spec(MogSpec.Flow.CIF_NSF, Placement.RELEASED, Average.EMA), other, new StopAfter(4));
    byte[] bytes = Files.readAllBytes(run.resolve(LATEST));
    Files.write(run.resolve(LATEST), Arrays.copyOf(bytes, bytes.length / 2));
    Files.copy(other.resolve(LATEST), run.resolve(PREVIOUS), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> resume(run, RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll("previous.safetensors", "another spec.yaml");
    Files.write(run.resolve(PREVIOUS), Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> resume(run, RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll("latest.safetensors", "previous.safetensors", "cut off");
    assertThat(StepRow.read(RunDirectory.read(run))).hasSize(4); // as it was
  }

  @Test
  void aFinishedRunSaysSo() {
    Path run = folder.resolve("run");
    MogResult first = start(cif(), run, RunListener.SILENT).orElseThrow();
    var listener = new StopAfter(0);
    assertThat(resume(run, listener)).contains(first);
    assertThat(listener.notes).containsExactly(run + " is finished");
  }

  @Test
  void aUsedFolderAndASecondProcessAreRefused() {
    Path run = folder.resolve("run");
    start(cif(), run, new StopAfter(1));
    assertThatThrownBy(() -> start(cif(), run, RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("is not empty")
        .hasMessageContaining("cifvi resume");
    try (var _ = RunDirectory.open(run)) {
      assertThatThrownBy(() -> resume(run, RunListener.SILENT))
          .hasMessageContaining("another process");
    }
  }

  @Test
  void otherSettingsAreNotMixedUp() {
    Path run = folder.resolve("run");
    start(cif(), run, new StopAfter(1));
    MogSpec other = spec(MogSpec.Flow.CIF_NSF, Placement.RELEASED, Average.EMA);
    assertThatThrownBy(() -> Run.startOrResume(new MogExperiment(), other, run, RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("other settings");
  }

  static void assertSameRun(Path a, Path b) throws IOException {
    assertThat(Files.readAllBytes(b.resolve(LATEST)))
        .isEqualTo(Files.readAllBytes(a.resolve(LATEST)));
    assertThat(withoutTimes(b)).isEqualTo(withoutTimes(a));
    assertThat(StepRow.read(RunDirectory.read(b)).stream().map(StepRow::elbo))
        .containsExactlyElementsOf(
            StepRow.read(RunDirectory.read(a)).stream().map(StepRow::elbo).toList());
  }

  private static String withoutTimes(Path run) throws IOException {
    return Files.readString(run.resolve("result.json"))
        .replaceAll("\"(seconds|ms_per_step)\" : [^,]*", "");
  }
}
