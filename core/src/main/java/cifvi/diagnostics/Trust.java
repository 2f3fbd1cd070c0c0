package cifvi.diagnostics;

import cifvi.vi.Estimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether to believe the draws of a fit, and why.
 *
 * @param verdict what to do with them
 * @param why the facts that decided, in words
 * @param next what to try, most promising first; nothing where the fit is good
 * @param joint weights p(z) r(u|z) / q(z, u) of the draws
 * @param marginal weights p(z) / q̂(z) of the same draws, by several paths back from each z; null
 *     without an index, where they are the joint ones
 * @param wide weights of as many draws by {@link WideNoise}, which reach further out than q; null
 *     in reports of versions that did not have them
 * @param elbo mean of the joint log-weights of these draws
 * @param bracket the marginal ELBO from both sides; null without an index
 * @param indexWorth ELBO lost when the index of a layer is replaced by its mean, layer by layer
 * @param shift the number that reweighting moves most; null where no weight is reliable
 * @param meansKHat Pareto k-hat of the weighted mean that is least reliable; null where no weight
 *     is
 * @param modes maxima of log p that were found by ascents from far outside; null where there are
 *     too many dimensions to look
 * @param agreement between starts; null of a single one
 * @param reference the draws beside reference draws; null without any
 * @param calls of the density that this report cost, beside the draws
 */
public record Trust(
    Verdict verdict,
    List<String> why,
    List<String> next,
    Weights joint,
    @Nullable Weights marginal,
    @Nullable Weights wide,
    double elbo,
    @Nullable Bracket bracket,
    List<Estimate> indexWorth,
    @Nullable Shift shift,
    @Nullable Double meansKHat,
    @Nullable List<Mode> modes,
    @Nullable Agreement agreement,
    @Nullable Comparison reference,
    long calls) {
  public Trust {
    why = List.copyOf(why);
    next = List.copyOf(next);
    indexWorth = List.copyOf(indexWorth);
    modes = modes == null ? null : List.copyOf(modes);
  }

  /**
   * What importance weights say of themselves.
   *
   * @param kHat Pareto k-hat; null where there are too few draws with a density to tell
   * @param kHatThreshold below which the other numbers are reliable
   * @param ess effective sample size
   * @param logEvidence log evidence
   * @param logEvidenceError its standard error
   */
  public record Weights(
      @Nullable Double kHat,
      double kHatThreshold,
      double ess,
      double logEvidence,
      double logEvidenceError) {
    static Weights of(ImportanceWeights weights) {
      Estimate logZ = weights.logEvidence();
      double k = weights.kHat();
      return new Weights(
          Double.isInfinite(k) ? null : k,
          weights.kHatThreshold(),
          weights.effectiveSampleSize(),
          logZ.mean(),
          logZ.standardError());
    }

    /** Whether k-hat is below its threshold. */
    public boolean reliable() {
      return kHat != null && kHat < kHatThreshold;
    }
  }

  /**
   * Two-sided estimates over the same draws.
   *
   * @param lower of the marginal ELBO
   * @param upper of the marginal ELBO (eq. 22)
   * @param error standard error of the upper one
   * @param slackLower of the slack E KL(q(u|z) ‖ r(u|z)), which is marginal less auxiliary ELBO
   * @param slackUpper of the same
   */
  public record Bracket(
      double lower, double upper, double error, double slackLower, double slackUpper) {}
}
