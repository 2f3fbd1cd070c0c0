package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;

/**
 * E[log p(x, z) - log q(z|x)] (eq. 1), the marginal ELBO, of an implicit posterior: a nested
 * estimator, by q̂(z) = 1/M Σ_j q(z, u_j) / r(u_j|z) with u_j drawn from r (eqs. 14, 15, 22).
 *
 * <p>The average is too small in expectation of its log, so eq. 22 is biased upward; with the u
 * that generated z as an extra term it is biased downward (Sobolev &amp; Vetrov, 2019). Both are
 * reported: the truth lies between.
 */
public record MarginalElbo(LogWeights weights, long maxDraws, Progress progress) {
  /** By the model's own code. */
  public MarginalElbo(Model model, long maxDraws, Progress progress) {
    this(LogWeights.eager(model), maxDraws, progress);
  }

  /**
   * The two-sided estimate, with the auxiliary ELBO beside it.
   *
   * @param auxiliary from the same z (eq. 2)
   * @param lower with the generating u among M + 1 terms
   * @param upper eq. 22
   */
  public record Bracket(Estimate auxiliary, Estimate lower, Estimate upper) {}

  /**
   * One z for every row of x, {@code inner} paths back for every z.
   *
   * @param zRng noise of the z
   * @param uRng noise of the u
   */
  public Bracket estimate(Observation x, long inner, Rng zRng, Rng uRng) {
    if (inner < 1) {
      throw new IllegalArgumentException("inner: expected at least 1, got " + inner);
    }
    var sums = new Sums();
    boolean explicit = weights.explicit();
    long paths = explicit ? 1 : inner;
    long outerChunk = Math.max(1, maxDraws / paths);
    for (long row = 0; row < x.rows(); row += outerChunk) {
      long first = row;
      long rows = Math.min(outerChunk, x.rows() - row);
      try (var _ = new PointerScope()) {
        var part = x.slice(first, rows);
        var draws = weights.draw(part, 1, zRng.fromRow(first));
        if (explicit) {
          sums.addExplicit(draws);
          progress.report(first + rows, x.rows());
        } else {
          sums.add(draws, paths(part, draws.z(), inner, uRng, first, x.rows()));
        }
      }
    }
    return sums.bracket();
  }

  /** log 1/M Σ of the paths back from each z, and the number of paths. */
  private LogMeanExp[] paths(
      Observation x, double[] z, long inner, Rng rng, long firstRow, long allRows) {
    var means = new LogMeanExp[Math.toIntExact(x.rows())];
    int d = z.length / means.length;
    for (int i = 0; i < means.length; i++) {
      means[i] = new LogMeanExp();
    }
    new Chunks(x.rows(), inner, maxDraws)
        .forEach(
            (row, rows, draw, draws) -> {
              Rng at = rng.fromRow((firstRow + row) * inner + draw);
              double[] from = Arrays.copyOfRange(z, (int) row * d, (int) (row + rows) * d);
              try (var _ = new PointerScope()) {
                double[] values = weights.backward(from, x.slice(row, rows), draws, at);
                for (int i = 0; i < values.length; i++) {
                  means[(int) (row + i / draws)].add(values[i]);
                }
              }
              progress.report((firstRow + row) * inner + draw + rows * draws, allRows * inner);
            });
    return means;
  }

  private static final class Sums {
    final Moments auxiliary = new Moments();
    final Moments lower = new Moments();
    final Moments upper = new Moments();

    void addExplicit(LogWeights.Draws draws) {
      for (int i = 0; i < draws.delta().length; i++) {
        double elbo = draws.logJoint()[i] + draws.delta()[i];
        auxiliary.add(elbo);
        lower.add(elbo);
        upper.add(elbo);
      }
    }

    void add(LogWeights.Draws draws, LogMeanExp[] logQ) {
      for (int i = 0; i < logQ.length; i++) {
        double logP = draws.logJoint()[i];
        auxiliary.add(logP + draws.delta()[i]);
        upper.add(logP - logQ[i].value());
        logQ[i].add(-draws.delta()[i]); // the path that generated z
        lower.add(logP - logQ[i].value());
      }
    }

    Bracket bracket() {
      return new Bracket(auxiliary.estimate(), lower.estimate(), upper.estimate());
    }
  }
}
