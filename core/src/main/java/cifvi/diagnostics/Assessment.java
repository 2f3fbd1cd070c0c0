package cifvi.diagnostics;

import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Trust} of draws and of what they were drawn from.
 *
 * @param q what they were drawn from
 * @param flow whether it is a flow already, so that there is no larger family to advise
 * @param names of the numbers that people ask about
 * @param columns all draws of each of them
 * @param z the draws on the unconstrained space, row-major
 * @param logP of every draw
 * @param logG log q(z, u) - log r(u|z) of every draw
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
public record Assessment(
    Approximation q,
    boolean flow,
    List<String> names,
    double[][] columns,
    double[] z,
    double[] logP,
    double[] logG,
    long seed) {
  /** Paths back from each draw of an indexed posterior. */
  static final int PATHS = 16;

  private static final int WORTH_DRAWS = 1000;

  /** The report. */
  public Trust run() {
    double[] joint = new double[logP.length];
    var elbo = new Moments();
    for (int i = 0; i < joint.length; i++) {
      joint[i] = logP[i] - logG[i];
      if (Double.isFinite(joint[i])) {
        elbo.add(joint[i]);
      }
    }
    var weights = new ImportanceWeights(joint);
    boolean indexed = !q.explicit() && elbo.count() > 1;
    MarginalWeights many =
        indexed ? MarginalWeights.of(logP, logG, q.backward(z, PATHS, seed)) : null;
    var marginal = many == null ? null : new ImportanceWeights(many.logWeights());
    ImportanceWeights best =
        marginal != null && marginal.kHat() < weights.kHat() ? marginal : weights;
    List<Estimate> worth = indexed ? q.indexWorth(WORTH_DRAWS) : List.of();
    var facts =
        new Judgement.Facts(
            flow, weights, marginal, best.reliable() ? shift(best.normalised()) : null);
    var judgement = Judgement.of(facts);
    return new Trust(
        judgement.verdict(),
        judgement.why(),
        judgement.next(),
        Trust.Weights.of(weights),
        marginal == null ? null : Trust.Weights.of(marginal),
        elbo.mean(),
        many == null ? null : bracket(many, elbo.mean()),
        worth,
        facts.shift(),
        worth.isEmpty() ? 0 : (long) WORTH_DRAWS * (1 + worth.size()));
  }

  private static Trust.Bracket bracket(MarginalWeights marginal, double elbo) {
    return new Trust.Bracket(
        marginal.lower().mean(),
        marginal.upper().mean(),
        marginal.upper().standardError(),
        marginal.lower().mean() - elbo,
        marginal.upper().mean() - elbo);
  }

  /** Of all numbers that of the largest shift. */
  private @Nullable Shift shift(double[] weights) {
    return IntStream.range(0, names.size())
        .mapToObj(i -> Shift.of(names.get(i), columns[i], weights))
        .max(Comparator.comparingDouble(Shift::most))
        .orElse(null);
  }
}
