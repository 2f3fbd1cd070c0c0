package cifvi.engine.internal.parity;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

/** The list of mutants: by which case each was caught first, and how clearly. */
public final class Mutants {
  private record Best(double score, String name, String where) {
    boolean caught() {
      return !(score <= 1);
    }
  }

  private final SequencedMap<String, Best> best = new LinkedHashMap<>();

  /** Judges a mutant by the scores that one case gives it, unless it was caught by another. */
  public void judge(String mutant, String where, Supplier<SequencedMap<String, Double>> scores) {
    Best before = best.get(mutant);
    if (before != null && before.caught()) {
      return;
    }
    Best now =
        scores.get().entrySet().stream()
            .map(entry -> new Best(entry.getValue(), entry.getKey(), where))
            .reduce((a, b) -> a.score >= b.score ? a : b)
            .orElseThrow();
    Best better = before != null && before.score >= now.score ? before : now;
    best.put(mutant, better);
    if (better.caught()) {
      System.out.printf(
          Locale.ROOT, "%-45s %6.2f  %s of %s%n", mutant, better.score, better.name, better.where);
    }
  }

  /** Those that no case caught. */
  public List<String> escaped() {
    return best.entrySet().stream()
        .filter(entry -> !entry.getValue().caught())
        .map(Map.Entry::toString)
        .toList();
  }
}
