package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.files.Csv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** What a sweep has written. */
final class SweepFiles {
  private SweepFiles() {}

  /** {@code results.csv} without the columns that differ from machine to machine. */
  static List<List<String>> results(Path out, List<String> without) throws IOException {
    List<String> lines = Files.readAllLines(out.resolve("results.csv"));
    List<String> header = Csv.cells(lines.getFirst());
    var rows = new ArrayList<List<String>>();
    for (String line : lines) {
      var cells = new ArrayList<>(Csv.cells(line));
      for (int i = header.size() - 1; i >= 0; i--) {
        if (without.contains(header.get(i))) {
          cells.remove(i);
        }
      }
      rows.add(cells);
    }
    return rows;
  }

  /** The last checkpoint of each cell, by a hash of its bytes. */
  static SortedMap<String, String> checkpoints(Path out) throws IOException {
    var found = new TreeMap<String, String>();
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(f -> f.endsWith("latest.safetensors")).toList()) {
        found.put(out.relativize(file).toString(), hash(Files.readAllBytes(file)));
      }
    }
    return found;
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static long steps(Path cell) {
    try (Stream<String> lines = Files.lines(cell.resolve("metrics.csv"))) {
      return lines.count() - 1;
    } catch (IOException | UncheckedIOException _) {
      return 0;
    }
  }

  /** Cells that have a result. */
  static long done(Path out) {
    try (Stream<Path> files = Files.list(out)) {
      return files.filter(file -> Files.exists(file.resolve("result.json"))).count();
    } catch (IOException _) {
      return 0;
    }
  }

  static void await(BooleanSupplier condition) throws InterruptedException {
    for (int tries = 0; !condition.getAsBoolean(); tries++) {
      assertThat(tries).as("waited three minutes").isLessThan(9_000);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
