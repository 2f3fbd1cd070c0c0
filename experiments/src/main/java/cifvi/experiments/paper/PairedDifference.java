package cifvi.experiments.paper;

import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.Likelihoods;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How much better a method explains the same black and white test images than another.
 *
 * @param seeds that both have been trained with
 * @param samples importance samples S of both
 * @param difference mean and standard error, over the images, of the difference in log-likelihood
 *     averaged over the seeds
 */
public record PairedDifference(List<Long> seeds, int samples, Estimate difference) {
  /** The difference; empty where no seed has been evaluated alike for both. */
  static Optional<PairedDifference> of(Stream<ImageRun> ours, Stream<ImageRun> baselines) {
    List<Twins> twins = twins(ours, baselines.toList());
    return mostShared(twins).flatMap(samples -> of(twins, samples));
  }

  /** The S that most seeds have for both, the largest of these. */
  private static Optional<Integer> mostShared(List<Twins> twins) {
    Map<Integer, Long> seeds =
        twins.stream()
            .flatMap(Twins::samples)
            .collect(Collectors.groupingBy(s -> s, TreeMap::new, Collectors.counting()));
    return seeds.entrySet().stream()
        .max(Entry.<Integer, Long>comparingByValue().thenComparing(Entry.comparingByKey()))
        .map(Entry::getKey);
  }

  /** Two runs with the same seed. */
  private record Twins(ImageRun ours, ImageRun baseline) {
    Stream<Integer> samples() {
      List<Integer> others = samples(baseline);
      return samples(ours).stream().filter(others::contains);
    }

    private static List<Integer> samples(ImageRun run) {
      return new Likelihoods(run.directory()).samples(TestBinarisation.FIXED);
    }

    /** The differences image by image; none where one of the two has no values. */
    double[] differences(int samples) {
      List<ImageRow> a = ours.likelihoods(TestBinarisation.FIXED, samples, 0);
      List<ImageRow> b = baseline.likelihoods(TestBinarisation.FIXED, samples, 0);
      return IntStream.range(0, Math.min(a.size(), b.size()))
          .mapToDouble(i -> a.get(i).logLikelihood() - b.get(i).logLikelihood())
          .toArray();
    }
  }

  private static List<Twins> twins(Stream<ImageRun> ours, List<ImageRun> baselines) {
    return ours.flatMap(
            run ->
                baselines.stream()
                    .filter(baseline -> baseline.seed() == run.seed())
                    .map(baseline -> new Twins(run, baseline)))
        .toList();
  }

  private static Optional<PairedDifference> of(List<Twins> twins, int samples) {
    var bySeed = new TreeMap<Long, double[]>();
    twins.forEach(both -> bySeed.put(both.ours.seed(), both.differences(samples)));
    bySeed.values().removeIf(differences -> differences.length == 0);
    int images = bySeed.values().stream().mapToInt(d -> d.length).min().orElse(0);
    var moments = new Moments();
    for (int i = 0; i < images; i++) {
      int image = i;
      moments.add(bySeed.values().stream().mapToDouble(d -> d[image]).average().orElseThrow());
    }
    return images == 0
        ? Optional.empty()
        : Optional.of(
            new PairedDifference(List.copyOf(bySeed.keySet()), samples, moments.estimate()));
  }
}
