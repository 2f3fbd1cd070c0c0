package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import java.util.Arrays;
import java.util.List;
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
    var rungs = ladder(x, List.of(inner), zRng, uRng).rungs();
    return new Bracket(rungs.get(0).bound(), rungs.get(1).bound(), rungs.get(2).bound());
  }

  /**
   * The same with the first of those paths alone, too.
   *
   * @param inners how many, rising
   */
  public BoundLadder ladder(Observation x, List<Long> inners, Rng zRng, Rng uRng) {
    requireRising(inners);
    long inner = inners.getLast();
    var sums = new BoundLadder.Sums(inners);
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
          for (int i = 0; i < rows; i++) {
            sums.addExplicit(draws.logJoint()[i] + draws.delta()[i]);
          }
          progress.report(first + rows, x.rows());
        } else {
          BoundLadder.Paths[] back = paths(part, draws, inners, uRng, first, x.rows());
          for (int i = 0; i < rows; i++) {
            sums.add(draws.logJoint()[i], back[i]);
          }
        }
      }
    }
    return sums.ladder();
  }

  private static void requireRising(List<Long> inners) {
    long last = 0;
    for (long inner : inners) {
      if (inner <= last) {
        throw new IllegalArgumentException(
            "inner: expected at least %d, got %d".formatted(last + 1, inner));
      }
      last = inner;
    }
  }

  /** The paths back from each z. */
  private BoundLadder.Paths[] paths(
      Observation x,
      LogWeights.Draws drawn,
      List<Long> inners,
      Rng rng,
      long firstRow,
      long allRows) {
    double[] z = drawn.z();
    long inner = inners.getLast();
    var back = new BoundLadder.Paths[Math.toIntExact(x.rows())];
    int d = z.length / back.length;
    for (int i = 0; i < back.length; i++) {
      back[i] = new BoundLadder.Paths(inners, -drawn.delta()[i]);
    }
    new Chunks(x.rows(), inner, maxDraws)
        .forEach(
            (row, rows, draw, draws) -> {
              Rng at = rng.fromRow((firstRow + row) * inner + draw);
              double[] from = Arrays.copyOfRange(z, (int) row * d, (int) (row + rows) * d);
              try (var _ = new PointerScope()) {
                double[] values = weights.backward(from, x.slice(row, rows), draws, at);
                for (int i = 0; i < values.length; i++) {
                  back[(int) (row + i / draws)].add(values[i]);
                }
              }
              progress.report((firstRow + row) * inner + draw + rows * draws, allRows * inner);
            });
    return back;
  }
}
