package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that lost files or have older ones go on where they can, and else say what helps. */
class MogLostFilesTest extends ContinuedRuns {
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
