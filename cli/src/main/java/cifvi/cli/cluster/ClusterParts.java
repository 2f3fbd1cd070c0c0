package cifvi.cli.cluster;

import cifvi.experiments.files.UserException;
import cifvi.experiments.parts.PartRow;
import cifvi.experiments.parts.Parts;
import cifvi.experiments.parts.Parts.Range;
import cifvi.vi.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has the parts of an evaluation computed on a cluster; those that are there stay.
 *
 * @param partitions how many tasks; null for as many as keep all cores busy
 */
public record ClusterParts(Cluster cluster, @Nullable Integer partitions) {
  /** The word that makes {@code cifvi} compute a part. */
  public static final String COMMAND = "evaluate-part";

  private static final int TASKS_A_CORE = 4;
  private static final long POLL_MILLIS = 200;

  /**
   * All rows, in their order.
   *
   * @param words options of {@link #COMMAND}, but for the units
   * @param draws that one task should have, so that little is lost when it is
   */
  public List<PartRow> compute(
      Parts parts, List<String> words, int threads, boolean cuda, long draws, Progress progress) {
    long all = parts.units().rows() * parts.units().draws();
    long ranges =
        partitions != null
            ? partitions
            : Math.max((long) TASKS_A_CORE * cluster.cores(), Math.ceilDiv(all, draws));
    var running = new LinkedHashMap<Range, CompletableFuture<String>>();
    for (Range range : parts.missing(ranges)) {
      running.put(range, cluster.compute(words(parts, words, range), threads, cuda));
    }
    try {
      while (!running.isEmpty()) {
        keep(parts, running);
        long left = running.keySet().stream().mapToLong(range -> range.to() - range.from()).sum();
        long done = parts.units().count() - left;
        progress.report((long) ((double) done / parts.units().count() * all), all);
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Progress.StoppedException();
    } finally {
      running.values().forEach(part -> part.cancel(true));
    }
    return parts.rows();
  }

  private static void keep(Parts parts, Map<Range, CompletableFuture<String>> running) {
    var ended = new LinkedHashMap<>(running);
    ended.values().removeIf(part -> !part.isDone());
    ended.forEach(
        (range, part) -> {
          try {
            parts.keep(range, part.join());
          } catch (CompletionException e) {
            throw e.getCause() instanceof UserException known ? known : e;
          }
        });
    running.keySet().removeAll(ended.keySet());
  }

  private static List<String> words(Parts parts, List<String> words, Range range) {
    var all =
        new ArrayList<>(
            List.of(
                COMMAND,
                parts.directory().path().toAbsolutePath().normalize().toString(),
                "--units",
                range.from() + ":" + range.to()));
    all.addAll(words);
    return all;
  }
}
