package cifvi.experiments.paper;

import cifvi.experiments.paper.Differences.Pair;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How much better a method explains the same black and white test images than another.
 *
 * @param seeds that both have been trained with
 * @param samples importance samples S of both
 * @param difference mean and standard error, over the images, of the difference in log-likelihood
 *     averaged over the seeds
 */
public record PairedDifference(List<Long> seeds, long samples, Estimate difference) {
  /** The difference; empty where no seed has been evaluated alike for both. */
  static Optional<PairedDifference> of(Table1 table, Pair pair, Column column) {
    return mostShared(table, pair, column).flatMap(samples -> of(table, pair, column, samples));
  }

  /** The S that most seeds have for both, the largest of these. */
  private static Optional<Long> mostShared(Table1 table, Pair pair, Column column) {
    Map<Long, Long> seeds =
        table
            .of(pair.method(), column)
            .flatMap(
                run ->
                    table
                        .of(pair.baseline(), column)
                        .filter(other -> other.seed() == run.seed())
                        .flatMap(other -> sharedSamples(run, other)))
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    return seeds.entrySet().stream()
        .max(Entry.<Long, Long>comparingByValue().thenComparing(Entry.comparingByKey()))
        .map(Entry::getKey);
  }

  private static Stream<Long> sharedSamples(ImageRun run, ImageRun other) {
    return run.likelihoods().samples(Binarisation.FIXED).stream()
        .filter(other.likelihoods().samples(Binarisation.FIXED)::contains);
  }

  private static Optional<PairedDifference> of(
      Table1 table, Pair pair, Column column, long samples) {
    Map<Long, SortedMap<Long, Double>> ours = bySeed(table.of(pair.method(), column), samples);
    Map<Long, SortedMap<Long, Double>> theirs = bySeed(table.of(pair.baseline(), column), samples);
    ours.keySet().retainAll(theirs.keySet());
    var images = new TreeMap<Long, Moments>();
    ours.forEach(
        (seed, likelihoods) -> {
          Map<Long, Double> baseline = theirs.getOrDefault(seed, new TreeMap<>());
          likelihoods.forEach(
              (image, value) -> {
                @Nullable Double other = baseline.get(image);
                if (other != null) {
                  images.computeIfAbsent(image, _ -> new Moments()).add(value - other);
                }
              });
        });
    var all = new Moments();
    images.values().stream()
        .filter(image -> image.count() == ours.size())
        .forEach(image -> all.add(image.mean()));
    return all.count() == 0
        ? Optional.empty()
        : Optional.of(new PairedDifference(List.copyOf(ours.keySet()), samples, all.estimate()));
  }

  private static Map<Long, SortedMap<Long, Double>> bySeed(Stream<ImageRun> runs, long samples) {
    var bySeed = new TreeMap<Long, SortedMap<Long, Double>>();
    runs.forEach(
        run ->
            run.likelihoods()
                .read(Binarisation.FIXED, samples, 0)
                .ifPresent(values -> bySeed.put(run.seed(), values)));
    return bySeed;
  }
}
