package cifvi.target;

import cifvi.distribution.Bernoulli;
import cifvi.distribution.DiagonalNormal;
import cifvi.distribution.Observation;
import cifvi.nn.Network;
import org.bytedeco.pytorch.Tensor;

/**
 * p(x, z) = N(z; 0, I) Π Bernoulli(x | logits = decoder(z)), paper section 4.2.
 *
 * @param decoder {@code [batch, d]} to logits in the shape of x
 */
public record BernoulliImageModel(Network decoder) implements Target {
  @Override
  public Tensor logJoint(Observation x, Tensor z) {
    return logJoint(images(x), z, decoder.apply(z));
  }

  /** The same where the decoder has run. */
  public Tensor logJoint(Tensor x, Tensor z, Tensor logits) {
    return logPrior(z).add(logLikelihood(x, logits));
  }

  /** The images of an observation. */
  public static Tensor images(Observation x) {
    return switch (x) {
      case Observation.Batch batch -> batch.x();
      case Observation.None _ ->
          throw new IllegalArgumentException("x: expected a batch of images, got no observation");
    };
  }

  public Tensor logPrior(Tensor z) {
    Tensor zero = z.new_zeros(1, z.size(1));
    return new DiagonalNormal(zero, zero).logDensity(z);
  }

  public static Tensor logLikelihood(Tensor x, Tensor logits) {
    return new Bernoulli(logits).logDensity(x);
  }
}
