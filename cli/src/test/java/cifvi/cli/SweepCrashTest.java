package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.option.ExitCode;
import cifvi.cli.sweep.Child;
import cifvi.experiments.files.FolderLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A sweep as a real process, interrupted and killed: the same command goes on. */
@EnabledOnOs(OS.LINUX)
class SweepCrashTest {
  @TempDir Path folder;

  @Test
  void interruptedAndKilledItGoesOn() throws Exception {
    Path spec = folder.resolve("grid.yaml");
    Path out = folder.resolve("out");
    Path log = folder.resolve("log");
    Files.writeString(
        spec, "kind: mog\nengine: eager\nmodel: nsf\nseed: [1]\nsteps: 900\nsamples: 10\n");
    var command = List.of("sweep", spec.toString(), "--out", out.toString(), "--jobs", "1");
    Path cell = out.resolve("seed1");

    Process interrupted = Child.start(command, log);
    await(() -> steps(cell) > 10);
    assertThat(Files.readString(out.resolve("results.csv"))).contains("1,running,seed1");
    new ProcessBuilder("kill", "-INT", Long.toString(interrupted.pid())).start().waitFor();
    assertThat(interrupted.waitFor()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(Files.readString(log)).contains("saved; go on with the same command");
    assertThat(Files.readString(out.resolve("results.csv"))).contains("1,stopped,seed1");
    assertThat(FolderLock.isHeld(cell)).isFalse();
    String first = line(cell, 1);

    Process killed = Child.start(command, log);
    await(() -> FolderLock.isHeld(cell));
    killed.destroyForcibly().waitFor();
    await(() -> !FolderLock.isHeld(cell)); // the cell notices, saves and ends
    assertThat(cell.resolve("result.json")).doesNotExist();

    Process last = Child.start(command, log);
    assertThat(last.waitFor()).isZero();
    assertThat(Files.readAllLines(out.resolve("results.csv")))
        .anyMatch(line -> line.startsWith("1,done,seed1,mog,nsf,900"));
    assertThat(line(cell, 1)).as("the first step, its time included").isEqualTo(first);
    assertThat(Files.readString(out.resolve("seed1.log"))).contains("saved; go on with");
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int tries = 0; !condition.getAsBoolean(); tries++) {
      assertThat(tries).as("waited two minutes").isLessThan(6_000);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static long steps(Path cell) {
    try (var lines = Files.lines(cell.resolve("metrics.csv"))) {
      return lines.count() - 1;
    } catch (IOException _) {
      return 0;
    }
  }

  private static String line(Path cell, int number) throws IOException {
    return Files.readAllLines(cell.resolve("metrics.csv")).get(number);
  }
}
