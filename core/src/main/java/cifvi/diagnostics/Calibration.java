package cifvi.diagnostics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Simulation-based calibration: θ ~ p(θ), y ~ p(y|θ), and the rank of θ among draws of the fit to
 * y, which is uniform where fits are exact (Talts, Betancourt, Simpson, Vehtari and Gelman, 2018).
 *
 * @param simulations how many there were
 * @param draws of each fit, among which θ has one of {@code draws + 1} ranks
 * @param numbers in their order
 */
public record Calibration(int simulations, int draws, List<Ranks> numbers) {
  private static final double LEVEL = 0.01;

  /**
   * Ranks of one number.
   *
   * @param ranks of every simulation
   * @param distance √n sup |F - uniform| of their distribution function
   * @param p probability of such a distance where ranks are uniform, by Kolmogorov's distribution
   */
  public record Ranks(String name, List<Integer> ranks, double distance, double p) {
    public Ranks {
      ranks = List.copyOf(ranks);
    }
  }

  public Calibration {
    numbers = List.copyOf(numbers);
  }

  /**
   * Of ranks.
   *
   * @param ranks by simulation, by number
   */
  public static Calibration of(List<String> names, List<int[]> ranks, int draws) {
    var numbers = new ArrayList<Ranks>();
    for (int c = 0; c < names.size(); c++) {
      int column = c;
      int[] sorted = ranks.stream().mapToInt(row -> row[column]).sorted().toArray();
      double distance = Math.sqrt(sorted.length) * distance(sorted, draws);
      List<Integer> all = ranks.stream().map(row -> row[column]).toList();
      numbers.add(new Ranks(names.get(c), all, distance, kolmogorov(distance)));
    }
    return new Calibration(ranks.size(), draws, numbers);
  }

  /** At every rank k the share of ranks up to k beside (k + 1) / (draws + 1). */
  private static double distance(int[] sorted, int draws) {
    double most = 0;
    for (int k = 0; k <= draws; k++) {
      int rank = k;
      double share = Arrays.stream(sorted).filter(r -> r <= rank).count() / (double) sorted.length;
      most = Math.max(most, Math.abs(share - (k + 1.0) / (draws + 1)));
    }
    return most;
  }

  /** P(K > x) = 2 Σ (-1)^{k-1} e^{-2 k² x²}. */
  static double kolmogorov(double x) {
    if (x < 0.2) {
      return 1;
    }
    double sum = 0;
    for (int k = 1; k <= 100; k++) {
      sum += (k % 2 == 1 ? 2 : -2) * Math.exp(-2.0 * k * k * x * x);
    }
    return Math.clamp(sum, 0, 1);
  }

  /** The number whose ranks are least uniform. */
  public Ranks worst() {
    return numbers.stream().min(Comparator.comparingDouble(Ranks::p)).orElseThrow();
  }

  /** Whether no number's ranks leave the band of 99 %, all numbers together (Bonferroni). */
  public boolean calibrated() {
    return worst().p() * numbers.size() > LEVEL;
  }
}
