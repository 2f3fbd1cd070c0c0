package cifvi.diagnostics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Judgement} follows from.
 *
 * @param flow whether the family is a flow, so that there is no larger one to advise
 * @param answersApart how far two answers of the density to the same point are apart
 * @param joint weights of the draws
 * @param marginal weights p / q̂ of the same draws; null without an index
 * @param wide weights of draws that reach further out
 * @param shift the largest from q to p; null where no weight is reliable
 * @param apart the largest from p by the draws to p by those that reach further out
 * @param meansKHat of the weighted mean that is least reliable
 * @param wideMeansKHat the same of draws that reach further out
 * @param heaviest the number whose square has the heaviest tail
 * @param modes null where there are too many dimensions to look for them
 */
record Facts(
    boolean flow,
    double answersApart,
    ImportanceWeights joint,
    @Nullable ImportanceWeights marginal,
    ImportanceWeights wide,
    @Nullable Shift shift,
    @Nullable Shift apart,
    @Nullable Double meansKHat,
    @Nullable Double wideMeansKHat,
    @Nullable Tail heaviest,
    @Nullable List<Mode> modes,
    @Nullable Agreement agreement,
    @Nullable Comparison reference) {
  /** A number, and k-hat of its weighted square. */
  record Tail(String name, double kHat) {}

  ImportanceWeights best() {
    return better(joint, marginal);
  }

  /** The joint ones, by which draws are resampled, unless only the marginal ones are reliable. */
  static ImportanceWeights better(ImportanceWeights joint, @Nullable ImportanceWeights marginal) {
    return marginal != null && !joint.reliable() && marginal.kHat() < joint.kHat()
        ? marginal
        : joint;
  }
}
