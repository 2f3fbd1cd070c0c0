package cifvi.bijection;

import cifvi.nn.Conditioner;
import cifvi.nn.FlatParameters;
import cifvi.nn.MaskedMlp;
import cifvi.nn.Parameters;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/**
 * z = (w - μ(w)) e^{-α(w)}, log|det| = -Σ α, where μ_i and α_i depend on w_{&lt;i} alone: the
 * masked affine autoregressive map (MAF/IAF).
 *
 * <p>Forward is one pass of the network, the direction in which a posterior is sampled; the inverse
 * takes d passes. With {@link Conditioner#COUPLING} it is an affine coupling layer (Dinh et al.,
 * <i>Real NVP</i>, 2017) whose first half is scaled and shifted by constants, and the inverse takes
 * one pass.
 */
public final class AffineAutoregressive implements Bijection {
  private final MaskedMlp made;

  public AffineAutoregressive(Parameters parameters, int features, int... hidden) {
    this(parameters, features, Conditioner.AUTOREGRESSIVE, hidden);
  }

  public AffineAutoregressive(
      Parameters parameters, int features, Conditioner conditioner, int... hidden) {
    made = new MaskedMlp(parameters.in("made"), features, conditioner, hidden);
  }

  @Override
  public Mapped forward(Tensor w) {
    Tensor outputs = meanAndLogScale(w);
    Tensor mean = outputs.select(-1, 0);
    Tensor logScale = outputs.select(-1, 1);
    return new Mapped(w.sub(mean).mul(logScale.neg().exp()), logScale.sum(-1).neg());
  }

  @Override
  public Mapped inverse(Tensor z) {
    Shapes.require("z", z, Shapes.BATCH, made.features());
    return Autoregressive.invert(made, z, AffineAutoregressive::invertCoordinates);
  }

  /** Divides what it gives by {@code scale}, {@code [d]}, from now on: α grows by its logarithm. */
  public void divideOutputBy(Tensor scale, FlatParameters flat) {
    long d = made.features();
    long alpha = flat.offset(made.mlp().layers().getLast().bias()) + d;
    flat.update(() -> flat.values().narrow(0, alpha, d).add_(scale.log()));
  }

  public MaskedMlp made() {
    return made;
  }

  /** μ and α at w, {@code [batch, d, 2]}. */
  public Tensor meanAndLogScale(Tensor w) {
    Shapes.require("w", w, Shapes.BATCH, made.features());
    return made.apply(w);
  }

  private static Mapped invertCoordinates(Tensor z, Tensor outputs) {
    Tensor logScale = outputs.select(-1, 1);
    return new Mapped(z.mul(logScale.exp()).add(outputs.select(-1, 0)), logScale);
  }
}
