package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.sweep.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process that is interrupted; {@link KillTest} has those that are killed. */
class CrashTest {
  private static final List<String> RUN =
      List.of("mog", "--steps", "400", "--samples", "30", "--seed", "3", "--out");

  @TempDir Path folder;

  @Test
  void anInterruptSavesAndSaysHowToGoOn() throws Exception {
    Path run = folder.resolve("run");
    var words = new ArrayList<>(RUN);
    words.add(run.toString());
    Process process = Child.start(words, folder.resolve("stderr"));
    waitForSteps(run.resolve("metrics.csv"), process);
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor()).isEqualTo(130);
    assertThat(Files.readString(folder.resolve("stderr")))
        .contains("saved; go on with: cifvi resume " + run);
    assertThat(run.resolve("checkpoints/latest.safetensors")).exists();
  }

  /** Waits until the run has written its checkpoint and some lines of metrics. */
  private static void waitForSteps(Path metrics, Process process) throws Exception {
    while (process.isAlive() && !(Files.exists(metrics) && lines(metrics) > 20)) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(process.isAlive()).as("interrupted while it ran").isTrue();
  }

  private static long lines(Path file) throws IOException {
    try (var lines = Files.lines(file)) {
      return lines.count();
    }
  }
}
