package cifvi.diagnostics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whether starts from other places have found the same.
 *
 * @param starts how many there were
 * @param asGood of them, those whose bound is within half a nat of the best; the others are not
 *     compared
 * @param rHat √(1 + B/W) of the number that differs most, B being the variance of its means over
 *     the starts and W the mean of its variances within them, cut to the central 99 % of all draws
 *     (Gelman and Rubin, 1992, for draws that are independent)
 * @param name of that number
 * @param overlap Σ min(a, b) over twenty cells of equal mass of the margin that two starts have
 *     least in common, of the two starts that have least in common: 1 for the same, 0 for apart
 */
public record Agreement(int starts, int asGood, double rHat, String name, double overlap) {
  private static final int CELLS = 20;
  private static final double CUT = 0.005;
  private static final double AS_GOOD = 0.5;
  private static final double APART = 1.2;

  /**
   * Of starts.
   *
   * @param kept the best of them
   */
  static Agreement of(List<String> names, Assessment.Drawn kept, List<Assessment.Drawn> others) {
    double least = kept.elbo() - AS_GOOD;
    var columns = new ArrayList<double[][]>();
    columns.add(kept.columns());
    others.stream()
        .filter(start -> start.elbo() > least)
        .forEach(start -> columns.add(start.columns()));
    double worst = 1;
    String name = names.getFirst();
    double overlap = 1;
    for (int c = 0; c < names.size(); c++) {
      int column = c;
      List<double[]> chains = columns.stream().map(start -> start[column]).toList();
      double[] sorted = chains.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
      double rHat = rHat(chains, at(sorted, CUT), at(sorted, 1 - CUT));
      if (rHat > worst) {
        worst = rHat;
        name = names.get(c);
      }
      overlap = Math.min(overlap, overlap(chains, sorted));
    }
    return new Agreement(1 + others.size(), columns.size(), worst, name, overlap);
  }

  private static double at(double[] sorted, double share) {
    return sorted[(int) (share * (sorted.length - 1))];
  }

  private static double rHat(List<double[]> chains, double low, double high) {
    double[] means = new double[chains.size()];
    double within = 0;
    for (int i = 0; i < means.length; i++) {
      double[] cut = Arrays.stream(chains.get(i)).map(v -> Math.clamp(v, low, high)).toArray();
      double mean = Arrays.stream(cut).average().orElseThrow();
      means[i] = mean;
      within += Arrays.stream(cut).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    }
    double all = Arrays.stream(means).average().orElseThrow();
    if (means.length == 1) {
      return 1;
    }
    double between =
        Arrays.stream(means).map(v -> (v - all) * (v - all)).sum() / (means.length - 1);
    double ratio = between / (within / means.length);
    return between == 0 ? 1 : Math.min(Math.sqrt(1 + ratio), 1e6);
  }

  private static double overlap(List<double[]> chains, double[] sorted) {
    double[][] shares = new double[chains.size()][CELLS];
    for (int i = 0; i < shares.length; i++) {
      for (double value : chains.get(i)) {
        int cell = 0;
        while (cell < CELLS - 1 && value > at(sorted, (cell + 1.0) / CELLS)) {
          cell++;
        }
        shares[i][cell] += 1.0 / chains.get(i).length;
      }
    }
    double least = 1;
    for (int i = 0; i < shares.length; i++) {
      for (int j = 0; j < i; j++) {
        double common = 0;
        for (int cell = 0; cell < CELLS; cell++) {
          common += Math.min(shares[i][cell], shares[j][cell]);
        }
        least = Math.min(least, common);
      }
    }
    return least;
  }

  /** Whether those that are as good as the best differ by more than their own width allows. */
  boolean apart() {
    return rHat > APART;
  }
}
