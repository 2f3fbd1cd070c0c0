package cifvi.distribution;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A mixture of diagonal normals as r(u|z, x), which need not be reparametrisable: of the network's
 * K (1 + 2d) outputs the first K are the logits of the weights, then come the means and the logs of
 * the standard deviations.
 */
public record ConditionalNormalMixture(ConditionalNetwork network, int components)
    implements Conditional {
  public ConditionalNormalMixture {
    if (components < 1) {
      throw new IllegalArgumentException("components: expected at least 1, got " + components);
    }
  }

  /** Number of outputs the network needs for vectors of length d. */
  public static int outputs(int components, int d) {
    return components * (1 + 2 * d);
  }

  @Override
  public NormalMixture given(Tensor w, Observation x) {
    Tensor outputs = network.apply(w, x);
    long d = (outputs.size(1) / components - 1) / 2;
    if (d < 1 || outputs.size(1) != outputs(components, (int) d)) {
      throw new IllegalArgumentException(
          "network: expected %d (1 + 2d) outputs, got %d".formatted(components, outputs.size(1)));
    }
    long means = components * d;
    return new NormalMixture(
        torch.log_softmax(outputs.narrow(1, 0, components), 1),
        outputs.narrow(1, components, means).view(-1, components, d),
        outputs.narrow(1, components + means, means).view(-1, components, d));
  }
}
