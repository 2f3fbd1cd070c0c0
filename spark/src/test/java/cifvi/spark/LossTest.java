package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.files.FolderLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Twelve cells, of whose cluster first an executor, then a whole worker is killed. */
@Tag("slow")
@EnabledOnOs(OS.LINUX)
class LossTest {
  private static final int STEPS = 4000;

  @TempDir Path folder;

  @Test
  void twelveCellsEndAsIfNothingHadHappened() throws Exception {
    System.setProperty("cifvi.cells", LocalCluster.cells());
    Path spec = folder.resolve("grid.yaml");
    Files.writeString(
        spec,
        "kind: mog\nmodel: [nsf, cif-nsf]\nsamples: 100\nsteps: "
            + STEPS
            + "\nseed: [1, 2, 3, 4, 5, 6]\n");
    Path here = folder.resolve("here");
    Path hereLog = folder.resolve("here.log");
    Process local = Cifvi.start(LocalCluster.cells(), hereLog, "sweep", spec, "--out", here);
    assertThat(local.waitFor()).as(LocalCluster.read(hereLog)).isZero();

    LocalCluster cluster = LocalCluster.start(folder.resolve("cluster"), 2, 1);
    try {
      Path there = folder.resolve("there");
      Path log = folder.resolve("driver.log");
      Process driver =
          Cifvi.start(Cifvi.DRIVER, log, "sweep", spec, "--out", there, "--master", cluster.url());
      var rows = new ArrayList<String>();
      rows.add("killed,cell,step_of_checkpoint,seconds_since_checkpoint,ms_per_step,steps_redone");
      SweepFiles.await(() -> !running(there).isEmpty());
      rows.addAll(kill("executor", there, List.of(executor(cluster))));
      SweepFiles.await(() -> SweepFiles.done(there) >= 4 && !running(there).isEmpty());
      ProcessHandle worker = executor(cluster).parent().orElseThrow();
      var lost = new ArrayList<ProcessHandle>(worker.descendants().toList());
      lost.add(worker);
      rows.addAll(kill("worker with all its processes", there, lost));
      assertThat(driver.waitFor(20, TimeUnit.MINUTES)).isTrue();
      assertThat(driver.exitValue()).as(LocalCluster.read(log)).isZero();
      var machine = List.of("seconds", "ms_per_step");
      assertThat(SweepFiles.results(there, machine)).isEqualTo(SweepFiles.results(here, machine));
      assertThat(SweepFiles.checkpoints(there)).isEqualTo(SweepFiles.checkpoints(here)).hasSize(12);
      for (String name : SweepFiles.checkpoints(there).keySet()) {
        Path cell = there.resolve(Path.of(name).getName(0));
        assertThat(ends(cell)).as("a cell ends once").isOne();
        assertThat(SweepFiles.steps(cell)).isEqualTo(STEPS);
      }
      Files.write(Path.of("target/losses.csv"), rows);
    } finally {
      cluster.stop();
    }
  }

  private static ProcessHandle executor(LocalCluster cluster) throws IOException {
    return cluster.executors().stream()
        .filter(process -> process.children().findAny().isPresent())
        .findFirst()
        .orElseThrow();
  }

  /** Cells that train just now, and have some way to go. */
  private static Map<String, Long> running(Path out) {
    var running = new TreeMap<String, Long>();
    for (String model : List.of("nsf", "cif-nsf")) {
      IntStream.rangeClosed(1, 6)
          .mapToObj(seed -> model + "-seed" + seed)
          .forEach(
              name -> {
                long steps = SweepFiles.steps(out.resolve(name));
                if (steps > STEPS / 5
                    && steps < STEPS / 2
                    && FolderLock.isHeld(out.resolve(name))) {
                  running.put(name, steps);
                }
              });
    }
    return running;
  }

  /** Kills, and sees what the cells that lost their process will go on from. */
  private static List<String> kill(String what, Path out, List<ProcessHandle> processes)
      throws Exception {
    Map<String, Long> before = running(out);
    long now = System.currentTimeMillis();
    processes.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : processes) {
      process.onExit().join();
    }
    TimeUnit.MILLISECONDS.sleep(500);
    var rows = new ArrayList<String>();
    for (String name : before.keySet()) {
      Path cell = out.resolve(name);
      if (!FolderLock.isHeld(cell)) {
        Path checkpoint = cell.resolve("checkpoints/latest.safetensors");
        double since = Math.max(0, now - Files.getLastModifiedTime(checkpoint).toMillis()) / 1e3;
        double ms = milliseconds(cell);
        rows.add(
            String.format(
                Locale.ROOT,
                "%s,%s,%d,%.2f,%.2f,%.0f",
                what,
                name,
                step(checkpoint),
                since,
                ms,
                1e3 * since / ms));
      }
    }
    return rows;
  }

  /** From the head of the file. */
  private static long step(Path checkpoint) throws IOException {
    String head = new String(Files.readAllBytes(checkpoint), StandardCharsets.ISO_8859_1);
    var matcher = Pattern.compile("\"step\":\"(\\d+)\"").matcher(head);
    assertThat(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  /** Of a step, in the middle. */
  private static double milliseconds(Path cell) throws IOException {
    List<Double> all =
        Files.readAllLines(cell.resolve("metrics.csv")).stream()
            .skip(1)
            .map(line -> Double.valueOf(line.substring(line.lastIndexOf(',') + 1)))
            .sorted()
            .toList();
    return all.get(all.size() / 2);
  }

  private static long ends(Path cell) throws IOException {
    return Files.readString(Path.of(cell + ".log"))
        .lines()
        .filter(line -> line.endsWith("/result.json"))
        .count();
  }
}
