package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes, killed without warning: a resumed run ends with the bytes of one that was left in
 * peace.
 */
class CrashTest {
  private static final int KILLS = 3;
  private static final List<String> RUN =
      List.of("mog", "--steps", "400", "--samples", "30", "--seed", "3");

  @TempDir Path folder;

  @Test
  void killNineAtRandomMomentsChangesNothing() throws Exception {
    Path whole = folder.resolve("whole");
    Path killed = folder.resolve("killed");
    assertThat(start(with(RUN, "--out", whole.toString())).waitFor()).isZero();
    var random = new Random(11);
    Process process = start(with(RUN, "--out", killed.toString()));
    for (int i = 0; i < KILLS; i++) {
      waitForStep(killed, random.nextInt(20, 110) + 100 * i, process);
      process.destroyForcibly().waitFor();
      process = start(List.of("resume", killed.toString()));
    }
    assertThat(process.waitFor()).isZero();
    for (String file : List.of("checkpoints/latest.safetensors", "spec.yaml")) {
      assertThat(Files.readAllBytes(killed.resolve(file)))
          .isEqualTo(Files.readAllBytes(whole.resolve(file)));
    }
    assertThat(withoutTimes(killed)).isEqualTo(withoutTimes(whole));
  }

  @Test
  void anInterruptSavesAndSaysHowToGoOn() throws Exception {
    Path run = folder.resolve("run");
    Process process = start(with(RUN, "--out", run.toString()));
    waitForStep(run, 20, process);
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor()).isEqualTo(130);
    assertThat(Files.readString(folder.resolve("stderr")))
        .contains("saved; go on with: cifvi resume " + run);
    assertThat(run.resolve("checkpoints/latest.safetensors")).exists();
  }

  private Process start(List<String> arguments) throws IOException {
    return Child.start(arguments, folder.resolve("stderr"));
  }

  /** Waits until the run has written its checkpoint and that many lines of metrics. */
  private static void waitForStep(Path run, int step, Process process) throws Exception {
    Path metrics = run.resolve("metrics.csv");
    while (process.isAlive() && !(Files.exists(metrics) && lines(metrics) > Math.min(step, 380))) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    TimeUnit.MILLISECONDS.sleep(step % 50);
    assertThat(process.isAlive()).as("killed while it ran").isTrue();
  }

  private static long lines(Path file) throws IOException {
    try (var lines = Files.lines(file)) {
      return lines.count();
    }
  }

  private static String withoutTimes(Path run) throws IOException {
    return Files.readString(run.resolve("result.json"))
        .replaceAll("\"(seconds|ms_per_step)\" : [^,]*", "");
  }

  private static List<String> with(List<String> arguments, String... more) {
    var all = new ArrayList<>(arguments);
    all.addAll(List.of(more));
    return all;
  }
}
