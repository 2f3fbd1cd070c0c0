package cifvi.engine.internal.plan;

import cifvi.vi.Objective;
import java.util.Optional;

/**
 * How an objective puts the log-weights l of a batch together, K adjacent rows belonging to one x:
 *
 * <pre>
 *   bound = log 1/K Σ_k e^{l_k},  ∂bound/∂l_k = e^{l_k} / Σ e^l
 * </pre>
 *
 * <p>With K = 1 the bound is l itself, the ELBO.
 *
 * @param draws K
 */
public record Bound(int draws) {
  public static Bound of(Objective objective) {
    UncoveredException.throwIf(obstacle(objective));
    return new Bound(objective.draws());
  }

  /** Why an objective is none of these, if so. */
  public static Optional<String> obstacle(Objective objective) {
    return switch (objective) {
      case Objective.Elbo _, Objective.Iwae _ -> Optional.empty();
      case Objective.PathElbo _, Objective.Dreg _ ->
          Optional.of("path gradients go back through the layers, which autograd alone follows");
      case Objective.Iwhvi _ ->
          Optional.of("indices of r go back through the layers, which autograd alone follows");
      case Objective.Auxiliary _ ->
          Optional.of("r alone learns, and kernels have the gradient of all parameters");
      case Objective.WarmUp _, Objective.Tempered _ ->
          Optional.of("the weight of log p rises in a warm-up, which autograd alone follows");
    };
  }

  /** Whether the gradient of every row is known before its log-weight: the same for all. */
  public boolean isMean() {
    return draws == 1;
  }

  /**
   * What a batch comes to.
   *
   * @param sum of the bounds of all x
   * @param gradient of the loss, which is minus the mean of the bounds, in l for every row
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  public record Value(double sum, float[] gradient) {}

  /** The bound of all rows, given their log-weights. */
  public Value value(double[] l) {
    float[] gradient = new float[l.length];
    double sum = 0;
    for (int row = 0; row < l.length; row += draws) {
      double max = Double.NEGATIVE_INFINITY;
      for (int i = row; i < row + draws; i++) {
        max = Math.max(max, l[i]);
      }
      double total = 0;
      for (int i = row; i < row + draws; i++) {
        total += Math.exp(l[i] - max);
      }
      sum += max + Math.log(total / draws);
      for (int i = row; i < row + draws; i++) {
        gradient[i] = (float) (-Math.exp(l[i] - max) / total * draws / l.length);
      }
    }
    return new Value(sum, gradient);
  }
}
