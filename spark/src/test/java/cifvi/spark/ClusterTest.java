package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  static Path spec(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void aSweepIsTheSameAsHere() throws Exception {
    Path spec =
        spec("grid.yaml", "kind: mog\nmodel: nsf\nsamples: 20\nsteps: 30\nseed: [1, 2, 3]\n");
    Path there = folder.resolve("dört");
    Path here = folder.resolve("hier");
    Cifvi ended = Cifvi.run("sweep", spec, "--out", there, "--master", cluster.url());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out()).startsWith("3 of 3 cells done");
    Path log = folder.resolve("here.log");
    Process local = Cifvi.start(LocalCluster.cells(), log, "sweep", spec, "--out", here);
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
    Process driver =
        Cifvi.start(Cifvi.DRIVER, log, "sweep", spec, "--out", out, "--master", cluster.url());
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

  @Test
  void anEvaluationInPartsIsTheSameToTheLastDigit() throws Exception {
    Path run = folder.resolve("run");
    var trained =
        Cifvi.run("mog", "--steps", "3", "--samples", "10", "--threads", "1", "--out", run);
    assertThat(trained.exitCode()).as(trained.err()).isZero();
    Path kept = run.resolve("evaluations.csv");
    assertThat(Cifvi.run("evaluate", run, "--outer", "50", "--inner", "400").exitCode()).isZero();
    String here = LocalCluster.read(kept);
    for (int partitions : List.of(1, 3)) {
      Files.writeString(kept, here.lines().limit(1).toList().getFirst() + "\n");
      Cifvi ended =
          Cifvi.run(
              "evaluate",
              run,
              "--outer",
              "50",
              "--inner",
              "400",
              "--master",
              "local[2]",
              "--partitions",
              partitions);
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertThat(withoutSeconds(LocalCluster.read(kept))).isEqualTo(withoutSeconds(here));
    }
    assertThat(run.resolve("parts")).isEmptyDirectory();
  }

  private static String withoutSeconds(String csv) {
    return csv.replaceAll("(?m),[^,]*$", "");
  }

  @Test
  void aSweepUnderAUriIsWrittenAsParquetToo() throws Exception {
    Path spec = spec("uri.yaml", "kind: mog\nmodel: nsf\nsamples: 20\nsteps: 30\nseed: [1, 2]\n");
    Path out = folder.resolve("uri");
    Path parquet = folder.resolve("parquet");
    Cifvi ended =
        Cifvi.run(
            "sweep", spec, "--out", out.toUri(), "--master", "local[2]", "--parquet", parquet);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(out.resolve("seed2/checkpoints/latest.safetensors")).exists();
    assertThat(out.resolve("results.csv")).content().contains("2,done,seed2");
    assertThat(out.resolve("seed1.log")).content().contains("nsf");
    assertThat(out.resolve("seed1/lease")).doesNotExist();
    assertThat(parquet.resolve("table=metrics")).isDirectoryContaining("glob:**.parquet");
    assertThat(ParquetRows.count(parquet, "cell = 'seed2' and seed = '2' and elbo < 0"))
        .isEqualTo(30);
    assertThat(Cifvi.run("sweep", spec, "--out", out.toUri(), "--master", "local[2]").out())
        .as("nothing is left to do")
        .startsWith("2 of 2 cells done");
  }

  @Test
  void whatIsWrongIsSaidAtOnce() throws IOException {
    Path typo = spec("typo.yaml", "kind: mog\nmodle: [nsf]\n");
    Cifvi ended = Cifvi.run("sweep", typo, "--out", folder.resolve("x"), "--master", cluster.url());
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("modle: not an option of mog; did you mean model?");
    Path good = spec("good.yaml", "kind: mog\nsteps: 1\n");
    ended =
        Cifvi.run("sweep", good, "--out", folder.resolve("x"), "--master", "spark://127.0.0.1:9");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("--master spark://127.0.0.1:9: no master answers there");
    ended = Cifvi.run("sweep", good, "--out", folder.resolve("x"), "--master", "spork://x");
    assertThat(ended.err()).contains("expected local[N], spark://HOST:PORT");
  }
}
