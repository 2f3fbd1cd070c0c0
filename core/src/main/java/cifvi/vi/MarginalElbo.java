package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.posterior.Posterior;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * The nested estimator of the marginal ELBO E[log p(x, z) - log q(z|x)] (eq. 1) of an implicit
 * posterior, by q̂(z) = 1/M Σ_j q(z, u_j) / r(u_j|z) with u_j drawn from r (eqs. 14, 15, 22).
 *
 * <p>The average is too small in expectation of its log, so eq. 22 is biased upward; with the u
 * that generated z as an extra term it is biased downward (Sobolev &amp; Vetrov, 2019). Both are
 * reported: the truth lies between.
 */
public record MarginalElbo(Model model, long maxDraws, Progress progress) {
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
    model.parameters().training(false);
    var sums = new Sums();
    boolean explicit = model.posterior().explicit();
    long paths = explicit ? 1 : inner;
    long outerChunk = Math.max(1, maxDraws / paths);
    for (long row = 0; row < x.rows(); row += outerChunk) {
      long first = row;
      long rows = Math.min(outerChunk, x.rows() - row);
      try (var _ = new PointerScope();
          var _ = new NoGradGuard()) {
        var part = x.slice(first, rows);
        Posterior.Sample draw = model.posterior().sample(part, zRng.fromRow(first));
        double[] logP = Backend.doubles(model.target().logJoint(part, draw.z()));
        double[] delta = Backend.doubles(draw.delta());
        if (explicit) {
          sums.addExplicit(logP, delta);
          progress.report(first + rows, x.rows());
        } else {
          sums.add(logP, delta, paths(part, draw.z(), inner, uRng, first, x.rows()));
        }
      }
    }
    return sums.bracket();
  }

  /** log 1/M Σ of the paths back from each z, and the number of paths. */
  private LogMeanExp[] paths(
      Observation x, Tensor z, long inner, Rng rng, long firstRow, long allRows) {
    var means = new LogMeanExp[Math.toIntExact(x.rows())];
    for (int i = 0; i < means.length; i++) {
      means[i] = new LogMeanExp();
    }
    new Chunks(x.rows(), inner, maxDraws)
        .forEach(
            (row, rows, draw, draws) -> {
              try (var _ = new PointerScope()) {
                Tensor repeated =
                    ((Observation.Batch) Observation.of(z).slice(row, rows).repeat(draws)).x();
                Rng at = rng.fromRow((firstRow + row) * inner + draw);
                Tensor weights =
                    model.posterior().logWeight(repeated, x.slice(row, rows).repeat(draws), at);
                double[] values = Backend.doubles(weights);
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

    void addExplicit(double[] logP, double[] delta) {
      for (int i = 0; i < logP.length; i++) {
        auxiliary.add(logP[i] + delta[i]);
        lower.add(logP[i] + delta[i]);
        upper.add(logP[i] + delta[i]);
      }
    }

    void add(double[] logP, double[] delta, LogMeanExp[] logQ) {
      for (int i = 0; i < logP.length; i++) {
        auxiliary.add(logP[i] + delta[i]);
        upper.add(logP[i] - logQ[i].value());
        logQ[i].add(-delta[i]); // the path that generated z
        lower.add(logP[i] - logQ[i].value());
      }
    }

    Bracket bracket() {
      return new Bracket(auxiliary.estimate(), lower.estimate(), upper.estimate());
    }
  }
}
