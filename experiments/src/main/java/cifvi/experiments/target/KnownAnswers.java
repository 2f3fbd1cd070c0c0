package cifvi.experiments.target;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.function.Predicate;

/**
 * What is known about a density; absent means not known.
 *
 * @param logZ log ∫ p
 * @param meanFieldElbo the best bound of a normal with independent margins
 * @param fullRankElbo the best bound of any normal
 * @param moments of constrained numbers, by the names of their columns
 * @param regions with their probabilities: modes, wells
 */
public record KnownAnswers(
    OptionalDouble logZ,
    OptionalDouble meanFieldElbo,
    OptionalDouble fullRankElbo,
    SequencedMap<String, Moments> moments,
    List<Region> regions) {
  /**
   * Of one column.
   *
   * @param heavy whether its tails are so heavy that thousands of exact draws do not show them
   */
  public record Moments(double mean, double sd, boolean heavy) {
    public Moments(double mean, double sd) {
      this(mean, sd, false);
    }
  }

  /**
   * A part of the constrained space.
   *
   * @param contains asked for a draw, all its numbers in the order of their columns
   */
  public record Region(String name, double probability, Predicate<double[]> contains) {}

  public KnownAnswers {
    moments = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(moments));
    regions = List.copyOf(regions);
  }

  /** The moments of a column that must be among those known. */
  public Moments moments(String column) {
    Moments known = moments.get(column);
    if (known == null) {
      throw new IllegalArgumentException(
          "nothing is known of " + column + ", but of " + moments.keySet());
    }
    return known;
  }

  /** Knows log ∫ p alone. */
  static KnownAnswers ofLogZ(double logZ) {
    return new KnownAnswers(
        OptionalDouble.of(logZ),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        new LinkedHashMap<>(),
        List.of());
  }

  KnownAnswers withGaussians(double meanFieldElbo, double fullRankElbo) {
    return new KnownAnswers(
        logZ, OptionalDouble.of(meanFieldElbo), OptionalDouble.of(fullRankElbo), moments, regions);
  }

  KnownAnswers withMoments(String column, double mean, double sd) {
    return withMoments(column, new Moments(mean, sd));
  }

  KnownAnswers withMoments(String column, Moments known) {
    var more = new LinkedHashMap<>(moments);
    more.put(column, known);
    return new KnownAnswers(logZ, meanFieldElbo, fullRankElbo, more, regions);
  }

  KnownAnswers withRegion(String name, double probability, Predicate<double[]> contains) {
    var more = new ArrayList<>(regions);
    more.add(new Region(name, probability, contains));
    return new KnownAnswers(logZ, meanFieldElbo, fullRankElbo, moments, more);
  }
}
