package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import org.bytedeco.javacpp.PointerScope;

/**
 * The log-weights log p(x, z) r(u|z, x) / q(z, u|x) of draws of the posterior: their mean is the
 * auxiliary ELBO (eq. 2), the log of the mean of their exponentials estimates log p(x), explicitly
 * for a flow (eq. 20) and on the joint space of z and u for a CIF (eq. 21).
 */
public record ForwardWeights(LogWeights weights, long maxDraws, Progress progress) {
  /** By the model's own code. */
  public ForwardWeights(Model model, long maxDraws, Progress progress) {
    this(LogWeights.eager(model), maxDraws, progress);
  }

  /** Takes in the log-weight of one draw. */
  public interface Consumer {
    void accept(long row, double logWeight);
  }

  /**
   * The auxiliary ELBO with {@code samples} draws for every row of x; the standard error is over
   * all of them.
   */
  public Estimate auxiliaryElbo(Observation x, long samples, Rng rng) {
    var moments = new Moments();
    forEach(x, 0, samples, rng, (_, w) -> moments.add(w));
    return moments.estimate();
  }

  /** log p(x) of every row of x from {@code samples} importance samples. */
  public LogMeanExp[] logLikelihoods(Observation x, long samples, Rng rng) {
    var rows = new LogMeanExp[Math.toIntExact(x.rows())];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new LogMeanExp();
    }
    forEach(x, 0, samples, rng, (row, w) -> rows[(int) row].add(w));
    return rows;
  }

  /**
   * Mean of log p(x) over the rows of x, each from {@code samples} importance samples; the error is
   * over the rows.
   */
  public Estimate logLikelihood(Observation x, long samples, Rng rng) {
    var moments = new Moments();
    for (LogMeanExp row : logLikelihoods(x, samples, rng)) {
      moments.add(row.value());
    }
    return moments.estimate();
  }

  /**
   * Draws {@code samples} log-weights for every row of x, which are the rows from {@code first} on
   * of a larger set: the noise of a row is that of its place there, however the set is cut.
   *
   * @param consumer told the row within x
   */
  public void forEach(Observation x, long first, long samples, Rng rng, Consumer consumer) {
    new Chunks(x.rows(), samples, maxDraws)
        .forEach(
            (row, rows, draw, draws) -> {
              Rng at = rng.fromRow((first + row) * samples + draw);
              LogWeights.Draws drawn = draw(x, row, rows, draws, at);
              for (int i = 0; i < drawn.delta().length; i++) {
                consumer.accept(row + i / draws, drawn.delta()[i] + drawn.logJoint()[i]);
              }
              progress.report(row * samples + draw + rows * draws, x.rows() * samples);
            });
  }

  /**
   * Of one row, which has number {@code row} in a larger set, some of its {@code samples} draws
   * only, from number {@code from} to before {@code to}; put together by {@link
   * LogMeanExp#add(LogMeanExp.State)}, parts are the whole.
   */
  public LogMeanExp part(Observation x, long row, long samples, long from, long to, Rng rng) {
    var mean = new LogMeanExp();
    new Chunks(1, to - from, maxDraws)
        .forEach(
            (_, _, draw, draws) -> {
              LogWeights.Draws drawn =
                  draw(x, 0, 1, draws, rng.fromRow(row * samples + from + draw));
              for (int i = 0; i < drawn.delta().length; i++) {
                mean.add(drawn.delta()[i] + drawn.logJoint()[i]);
              }
              progress.report(draw + draws, to - from);
            });
    return mean;
  }

  private LogWeights.Draws draw(Observation x, long row, long rows, long draws, Rng rng) {
    try (var _ = new PointerScope()) {
      return weights.draw(x.slice(row, rows), draws, rng);
    }
  }
}
