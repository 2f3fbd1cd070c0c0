package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;

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
   * What one z adds to the bracket.
   *
   * @param logJoint log p(x, z)
   * @param delta log-weight of the path that generated z: with logJoint the auxiliary ELBO
   * @param paths e^{log q(z, u) - log r(u|z)} of the paths back; of none where the posterior is
   *     explicit
   */
  public record Term(double logJoint, double delta, LogMeanExp paths) {}

  /** Takes in the terms of some z. */
  public interface Consumer {
    void accept(long row, Term term);
  }

  /**
   * One z for every row of x, {@code inner} paths back for every z.
   *
   * @param zRng noise of the z
   * @param uRng noise of the u
   */
  public Bracket estimate(Observation x, long inner, Rng zRng, Rng uRng) {
    return bracket(ladder(x, List.of(inner), zRng, uRng));
  }

  /**
   * The same with the first of those paths alone, too.
   *
   * @param inners how many, rising
   */
  public BoundLadder ladder(Observation x, List<Long> inners, Rng zRng, Rng uRng) {
    var sums = new BoundLadder.Sums(inners);
    forEach(
        x, 0, inners, zRng, uRng, (_, logP, delta, paths) -> sums.add(logP, logP + delta, paths));
    return sums.ladder();
  }

  /** The estimate from terms in the order of their rows, all with as many paths back. */
  public static Bracket bracket(Iterable<Term> terms) {
    BoundLadder.@Nullable Sums sums = null;
    for (Term term : terms) {
      List<Long> inners = List.of(Math.max(1, term.paths.count()));
      sums = sums == null ? new BoundLadder.Sums(inners) : sums;
      var paths = new BoundLadder.Paths(inners, term.delta);
      paths.add(term.paths.state());
      sums.add(term.logJoint, term.logJoint + term.delta, paths);
    }
    return bracket(Objects.requireNonNull(sums, "terms").ladder());
  }

  private static Bracket bracket(BoundLadder ladder) {
    var rungs = ladder.rungs();
    return new Bracket(rungs.get(0).bound(), rungs.get(1).bound(), rungs.get(2).bound());
  }

  /** Rows that are computed together: cut elsewhere, a set gives other last digits. */
  public long rowsAtATime(long inner) {
    return Math.max(1, maxDraws / (weights.explicit() ? 1 : inner));
  }

  /**
   * The terms of every row of x, which are the rows from {@code first} on of a larger set: the
   * noise of a row is that of its place there.
   *
   * @param consumer told the row within x
   */
  public void forEach(
      Observation x, long first, long inner, Rng zRng, Rng uRng, Consumer consumer) {
    forEach(
        x,
        first,
        List.of(inner),
        zRng,
        uRng,
        (row, logP, delta, paths) -> consumer.accept(row, new Term(logP, delta, paths.mean())));
  }

  private interface Each {
    void accept(long row, double logP, double delta, BoundLadder.Paths paths);
  }

  private void forEach(
      Observation x, long first, List<Long> inners, Rng zRng, Rng uRng, Each consumer) {
    requireRising(inners);
    long inner = inners.getLast();
    long outerChunk = rowsAtATime(inner);
    for (long row = 0; row < x.rows(); row += outerChunk) {
      long from = row;
      long rows = Math.min(outerChunk, x.rows() - row);
      try (var _ = new PointerScope()) {
        var part = x.slice(from, rows);
        var draws = weights.draw(part, 1, zRng.fromRow(first + from));
        BoundLadder.Paths[] paths = none(inners, draws);
        if (weights.explicit()) {
          progress.report(from + rows, x.rows());
        } else {
          var todo = new Block(first + from, inner, 0, inner);
          paths(
              part,
              draws.z(),
              todo,
              uRng,
              paths,
              (done, _) -> progress.done(from * inner + done, x.rows() * inner));
        }
        for (int i = 0; i < paths.length; i++) {
          consumer.accept(from + i, draws.logJoint()[i], draws.delta()[i], paths[i]);
        }
      }
    }
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

  /**
   * The term of one row with some of its paths only, from number {@code from} to before {@code to};
   * put together by {@link LogMeanExp#add(LogMeanExp.State)}, parts are the whole.
   *
   * @param x that row, which has number {@code row} in a larger set
   */
  public Term part(Observation x, long row, long inner, long from, long to, Rng zRng, Rng uRng) {
    try (var _ = new PointerScope()) {
      var draws = weights.draw(x, 1, zRng.fromRow(row));
      BoundLadder.Paths[] paths = none(List.of(inner), draws);
      if (!weights.explicit()) {
        paths(x, draws.z(), new Block(row, inner, from, to), uRng, paths, progress);
      }
      return new Term(draws.logJoint()[0], draws.delta()[0], paths[0].mean());
    }
  }

  private static BoundLadder.Paths[] none(List<Long> inners, LogWeights.Draws draws) {
    return Arrays.stream(draws.delta())
        .mapToObj(delta -> new BoundLadder.Paths(inners, delta))
        .toArray(BoundLadder.Paths[]::new);
  }

  /** Which paths: of {@code inner} for each row those from a number to before another. */
  private record Block(long firstRow, long inner, long from, long to) {}

  /** Adds the paths back from each z. */
  private void paths(
      Observation x, double[] z, Block todo, Rng rng, BoundLadder.Paths[] back, Progress progress) {
    int d = z.length / back.length;
    long perRow = todo.to - todo.from;
    new Chunks(x.rows(), perRow, maxDraws)
        .forEach(
            (row, rows, draw, draws) -> {
              Rng at = rng.fromRow((todo.firstRow + row) * todo.inner + todo.from + draw);
              double[] from = Arrays.copyOfRange(z, (int) row * d, (int) (row + rows) * d);
              try (var _ = new PointerScope()) {
                double[] values = weights.backward(from, x.slice(row, rows), draws, at);
                for (int i = 0; i < values.length; i++) {
                  back[(int) (row + i / draws)].add(values[i]);
                }
              }
              progress.report(row * perRow + draw + rows * draws, x.rows() * perRow);
            });
  }
}
