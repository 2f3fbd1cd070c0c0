package cifvi.distribution;

import cifvi.nn.Network;
import org.bytedeco.pytorch.Tensor;

/**
 * A diagonal normal whose network gives the means first, then the logs of the standard deviations.
 */
public record ConditionalNormal(ConditionalNetwork network) implements Conditional {
  public ConditionalNormal(Network network) {
    this(ConditionalNetwork.of(network));
  }

  @Override
  public DiagonalNormal given(Tensor w, Observation x) {
    return split(network.apply(w, x));
  }

  static DiagonalNormal split(Tensor outputs) {
    if (outputs.size(-1) % 2 != 0) {
      throw new IllegalArgumentException(
          "network: expected as many log-standard deviations as means, got an odd number of outputs, "
              + outputs.size(-1));
    }
    long d = outputs.size(-1) / 2;
    return new DiagonalNormal(outputs.narrow(-1, 0, d), outputs.narrow(-1, d, d));
  }
}
