package cifvi.distribution;

import cifvi.nn.Network;

/** An amortised base: mean and log-standard deviation of w₀ come from an encoder of x. */
public record EncodedNormal(Network encoder) implements Base {
  @Override
  public DiagonalNormal given(Observation x) {
    return switch (x) {
      case Observation.Batch batch -> ConditionalNormal.split(encoder.apply(batch.x()));
      case Observation.None _ ->
          throw new IllegalArgumentException("x: expected a batch of data, got no observation");
    };
  }
}
