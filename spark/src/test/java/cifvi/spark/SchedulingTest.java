package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.cluster.Cluster;
import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.Job;
import cifvi.experiments.sweep.Sweep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What it costs to hand out ten thousand cells: they sleep, and leave a result. */
@Tag("slow")
@EnabledOnOs(OS.LINUX)
class SchedulingTest {
  private static final int CELLS = Integer.getInteger("cells", 10_000);

  @TempDir Path folder;

  record Sleep(String cell, long millis) implements Function<Integer, TaskEnd> {
    @Override
    public TaskEnd call(Integer index) throws IOException, InterruptedException {
      TimeUnit.MILLISECONDS.sleep(millis);
      Path folder = Files.createDirectories(Path.of(cell));
      Files.writeString(folder.resolve("result.json"), "{\"elbo\": -1.5}");
      return new TaskEnd(0, "");
    }
  }

  @Test
  void tenThousandCells() throws Exception {
    String classes = Path.of("target/test-classes").toAbsolutePath().toString();
    System.setProperty("cifvi.cells", LocalCluster.cells() + ":" + classes);
    var lines = new ArrayList<String>();
    lines.add(
        "cells,ms_a_cell,workers,seconds,seconds_without_overhead,overhead_ms_a_cell,driver_cpu_ms_a_cell");
    LocalCluster local = LocalCluster.start(folder.resolve("cluster"), 2, 1);
    try {
      for (long millis : List.of(10L, 100L, 1000L)) {
        int count = (int) Math.min(CELLS, 100L * CELLS / (millis * 10));
        Path out = Files.createDirectories(folder.resolve("out" + millis));
        try (var cluster =
            SparkCluster.connect(local.url(), "scheduling", Map.of(), Cluster.local(out))) {
          long start = System.nanoTime();
          Duration before = cpu();
          try (var sweep =
              Sweep.open(
                  out,
                  cells(count),
                  (cell, to) -> cluster.start(cell, to, new Sleep(to.path().toString(), millis)),
                  cluster::cores,
                  0)) {
            assertThat(sweep.run(new Sweep.Listener() {}))
                .hasSize(count)
                .allMatch(job -> job.status() == Job.Status.DONE);
          }
          double seconds = (System.nanoTime() - start) / 1e9;
          double ideal = count * millis / 2e3;
          lines.add(
              String.format(
                  Locale.ROOT,
                  "%d,%d,2,%.1f,%.1f,%.2f,%.2f",
                  count,
                  millis,
                  seconds,
                  ideal,
                  (seconds - ideal) * 2e3 / count,
                  cpu().minus(before).toNanos() / 1e6 / count));
        }
      }
    } finally {
      local.stop();
    }
    Files.write(Path.of("target/scheduling.csv"), lines);
  }

  /** Of this process, which does not depend on what else the machine does. */
  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static List<Cell> cells(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new Cell(
                    "seed" + i,
                    "mog",
                    new LinkedHashMap<>(Map.of("seed", Integer.toString(i))),
                    List.of("seed")))
        .toList();
  }
}
