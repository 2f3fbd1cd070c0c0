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

  /** Ranks in a cell of chi-square. */
  private static final int LEAST_EXPECTED = 5;

  private static final int MOST_CELLS = 10;

  /**
   * Ranks of one number.
   *
   * @param ranks of every simulation
   * @param distance √n sup |F - uniform| of their distribution function
   * @param chiSquare Σ (count - expected)² / expected over cells of equal ranks, which sees horns
   *     at both ends where the distance does not
   * @param p probability of such ranks where they are uniform: twice the smaller of those of the
   *     distance and of chi-square, at most 1
   */
  public record Ranks(
      String name, List<Integer> ranks, double distance, double chiSquare, double p) {
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
      int cells = Math.clamp(sorted.length / LEAST_EXPECTED, 2, MOST_CELLS);
      double chiSquare = chiSquare(sorted, cells, draws);
      double p = Math.min(kolmogorov(distance), chiSquareTail(chiSquare, cells - 1));
      numbers.add(new Ranks(names.get(c), all, distance, chiSquare, Math.min(1, 2 * p)));
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

  private static double chiSquare(int[] ranks, int cells, int draws) {
    int[] counts = new int[cells];
    double[] expected = new double[cells];
    for (int rank = 0; rank <= draws; rank++) {
      expected[rank * cells / (draws + 1)] += ranks.length / (draws + 1.0);
    }
    for (int rank : ranks) {
      counts[rank * cells / (draws + 1)]++;
    }
    double sum = 0;
    for (int i = 0; i < cells; i++) {
      sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
    }
    return sum;
  }

  /** P(χ² > x), by Wilson and Hilferty's cube root that is nearly normal. */
  static double chiSquareTail(double x, int degrees) {
    double variance = 2.0 / (9 * degrees);
    double z = (Math.cbrt(x / degrees) - (1 - variance)) / Math.sqrt(variance);
    double t = 1 / (1 + 0.2316419 * Math.abs(z)); // Abramowitz and Stegun, 26.2.17
    double tail =
        Math.exp(-0.5 * z * z)
            / Math.sqrt(2 * Math.PI)
            * t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return z > 0 ? tail : 1 - tail;
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

  /** Whether no number's ranks are odd at the level of 1 %, all numbers together (Bonferroni). */
  public boolean calibrated() {
    return worst().p() * numbers.size() > LEVEL;
  }
}
