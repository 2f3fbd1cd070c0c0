package cifvi.vi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bounds of the same draws of z, each in expectation at least as high as the one before, L₁ being
 * the marginal ELBO (eq. 1):
 *
 * <pre>
 *   auxiliary = IWHVI(0) ≤ IWHVI(M_1) ≤ … ≤ IWHVI(M_n) ≤ L₁ ≤ eq. 22(M_n) ≤ … ≤ eq. 22(M_1)
 * </pre>
 *
 * @param rungs from the lowest to the highest
 */
public record BoundLadder(List<Rung> rungs) {
  /**
   * One bound.
   *
   * @param paths M
   * @param upper whether it is eq. 22 and not {@link Objective.Iwhvi}
   * @param rise from the bound before, paired; 0 for the first
   * @param overAuxiliary from the first, paired: with many paths the slack E KL(q(u|z) ‖ r(u|z))
   */
  public record Rung(
      long paths, boolean upper, Estimate bound, Estimate rise, Estimate overAuxiliary) {}

  /** Takes in one z after the other. */
  static final class Sums {
    private final List<Long> inners;
    private final List<Moments> bounds = new ArrayList<>();
    private final List<Moments> rises = new ArrayList<>();
    private final List<Moments> overAuxiliary = new ArrayList<>();

    /**
     * Of no z yet.
     *
     * @param inners M_1 &lt; … &lt; M_n
     */
    Sums(List<Long> inners) {
      this.inners = inners;
      for (int i = 0; i < 2 * inners.size() + 1; i++) {
        bounds.add(new Moments());
        rises.add(new Moments());
        overAuxiliary.add(new Moments());
      }
    }

    /**
     * One z.
     *
     * @param elbo log p(x, z) - log q(z, u) + log r(u|z) of the u that z was drawn with: all
     *     bounds, where log q(z) is known and there are no paths back
     */
    void add(double logP, double elbo, Paths paths) {
      int n = inners.size();
      double[] all = new double[bounds.size()];
      Arrays.fill(all, elbo);
      for (int i = 0; i < n && paths.mean.count() > 0; i++) {
        all[1 + i] = logP - paths.lower[i];
        all[2 * n - i] = logP - paths.upper[i];
      }
      add(all);
    }

    private void add(double[] all) {
      for (int i = 0; i < all.length; i++) {
        bounds.get(i).add(all[i]);
        rises.get(i).add(i == 0 ? 0 : all[i] - all[i - 1]);
        overAuxiliary.get(i).add(all[i] - all[0]);
      }
    }

    BoundLadder ladder() {
      int n = inners.size();
      var rungs = new ArrayList<Rung>();
      for (int i = 0; i < bounds.size(); i++) {
        boolean upper = i > n;
        rungs.add(
            new Rung(
                i == 0 ? 0 : inners.get(upper ? 2 * n - i : i - 1),
                upper,
                bounds.get(i).estimate(),
                rises.get(i).estimate(),
                overAuxiliary.get(i).estimate()));
      }
      return new BoundLadder(List.copyOf(rungs));
    }
  }

  /** log q̂(z) of one z, as more and more paths back from it come in. */
  static final class Paths {
    private final List<Long> inners;
    private final double generating;
    private final LogMeanExp mean = new LogMeanExp();
    private final double[] lower;
    private final double[] upper;
    private int next;

    /**
     * Of no path back yet.
     *
     * @param delta log r(u|z) - log q(z, u) of the u that z was drawn with
     */
    Paths(List<Long> inners, double delta) {
      this.inners = inners;
      this.generating = -delta;
      this.lower = new double[inners.size()];
      this.upper = new double[inners.size()];
    }

    void add(double logWeight) {
      mean.add(logWeight);
      reached();
    }

    /** All paths at once. */
    void add(LogMeanExp.State paths) {
      mean.add(paths);
      reached();
    }

    private void reached() {
      if (next < upper.length && mean.count() == inners.get(next)) {
        upper[next] = mean.value();
        lower[next] = mean.and(generating).value();
        next++;
      }
    }

    LogMeanExp mean() {
      return mean;
    }
  }
}
