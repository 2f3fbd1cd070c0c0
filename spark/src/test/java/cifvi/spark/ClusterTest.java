package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.Main;
import cifvi.cli.sweep.Child;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A standalone cluster of two workers, with blanks and umlauts in the names of its folders. */
@EnabledOnOs(OS.LINUX)
class ClusterTest {
  private static final List<String> MACHINE = List.of("seconds", "ms_per_step");

  @TempDir static Path folder;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    System.setProperty("cifvi.cells", LocalCluster.cells());
    cluster = LocalCluster.start(folder.resolve("Wölkchen 1"), 2, 1);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.stop();
  }

  record Ended(int exitCode, String out, String err) {}

  static Ended cifvi(Object... words) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(Arrays.stream(words).map(Object::toString).toArray(String[]::new));
    return new Ended(exitCode, out.toString(), err.toString());
  }

  static Path spec(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void aSweepIsTheSameAsHere() throws Exception {
    Path spec =
        spec("grid.yaml", "kind: mog\nmodel: nsf\nsamples: 20\nsteps: 30\nseed: [1, 2, 3]\n");
    Path there = folder.resolve("dört");
    Path here = folder.resolve("hier");
    Ended ended = cifvi("sweep", spec, "--out", there, "--master", cluster.url());
    assertThat(ended.exitCode).as(ended.err).isZero();
    assertThat(ended.out).startsWith("3 of 3 cells done");
    Path log = folder.resolve("here.log");
    Process local = process(LocalCluster.cells(), log, "sweep", spec, "--out", here);
    assertThat(local.waitFor()).as(LocalCluster.read(log)).isZero();
    assertThat(SweepFiles.results(there, MACHINE)).isEqualTo(SweepFiles.results(here, MACHINE));
    assertThat(SweepFiles.checkpoints(there)).isEqualTo(SweepFiles.checkpoints(here)).hasSize(3);
    assertThat(there.resolve("index.html")).content().contains("3 of 3 cells are done");
    assertThat(there.toFile().list((_, name) -> name.startsWith(".cifvi"))).isEmpty();
  }

  @Test
  void aCellWhoseExecutorIsKilledGoesOnFromItsCheckpoint() throws Exception {
    Path spec =
        spec(
            "one.yaml",
            "kind: mog\nmodel: nsf\nengine: eager\nsamples: 10\nsteps: 1500\nseed: [1]\n");
    Path out = folder.resolve("killed");
    Path log = folder.resolve("driver.log");
    Path cell = out.resolve("seed1");
    String path = System.getProperty("java.class.path");
    Process driver = process(path, log, "sweep", spec, "--out", out, "--master", cluster.url());
    SweepFiles.await(() -> SweepFiles.steps(cell) > 100);
    ProcessHandle child =
        cluster.executors().stream()
            .filter(e -> e.children().count() > 0)
            .findFirst()
            .orElseThrow();
    String first = Files.readAllLines(cell.resolve("metrics.csv")).get(1);
    child.destroyForcibly();
    assertThat(driver.waitFor(3, TimeUnit.MINUTES)).isTrue();
    assertThat(driver.exitValue()).as(LocalCluster.read(log)).isZero();
    assertThat(SweepFiles.steps(cell)).isEqualTo(1500);
    assertThat(Files.readAllLines(cell.resolve("metrics.csv")).get(1))
        .as("the first step, its time included")
        .isEqualTo(first);
    assertThat(LocalCluster.read(out.resolve("seed1.log"))).contains("saved; go on with");
  }

  /** The program as the launcher starts it. */
  static Process process(String classPath, Path log, Object... words) throws IOException {
    var options = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    options.add("-Dcifvi.cells=" + LocalCluster.cells());
    return Child.builder(
            options, classPath, Arrays.stream(words).map(Object::toString).toList(), log)
        .start();
  }

  @Test
  void whatIsWrongIsSaidAtOnce() throws IOException {
    Path typo = spec("typo.yaml", "kind: mog\nmodle: [nsf]\n");
    Ended ended = cifvi("sweep", typo, "--out", folder.resolve("x"), "--master", cluster.url());
    assertThat(ended.exitCode).isEqualTo(2);
    assertThat(ended.err).contains("modle: not an option of mog; did you mean model?");
    Path good = spec("good.yaml", "kind: mog\nsteps: 1\n");
    ended = cifvi("sweep", good, "--out", folder.resolve("x"), "--master", "spark://127.0.0.1:9");
    assertThat(ended.exitCode).isEqualTo(2);
    assertThat(ended.err).contains("--master spark://127.0.0.1:9: no master answers there");
    ended = cifvi("sweep", good, "--out", folder.resolve("x"), "--master", "spork://x");
    assertThat(ended.err).contains("expected local[N], spark://HOST:PORT");
  }
}
