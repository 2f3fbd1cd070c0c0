package cifvi.engine.internal.plan;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Flip;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.SinhArcsinh;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.DataRows;
import cifvi.distribution.NormalBase;
import cifvi.nn.ConvEncoder;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.LargeDecoder;
import cifvi.nn.Mlp;
import cifvi.nn.SmallDecoder;
import cifvi.target.BernoulliImageModel;
import cifvi.target.HostTarget;
import cifvi.target.MixtureTarget;

/**
 * One thing that happens to a row between the base and the target. Each part finds w, what the part
 * before it left, and the index u of its layer where it names one; what it says of the log-weight
 * is added to it.
 */
public sealed interface Part {
  /** Draws w₀, and adds -log q(w₀). */
  sealed interface BaseDraw extends Part {}

  /** From the same diagonal normal for every row. */
  record ConstantDraw(NormalBase base) implements BaseDraw {}

  /** From the normal that an encoder makes of the observed image. */
  record EncodedDraw(ConvEncoder encoder) implements BaseDraw {}

  /** The observed row itself; nothing is added. */
  record DataDraw(DataRows base) implements BaseDraw {}

  /** Draws u from q(u|w), and keeps log q(u|w) for {@link Auxiliary}. */
  record IndexDraw(int layer, Mlp q) implements Part {}

  /** Maps w to g(w), and adds log|det Dg(w)|. */
  sealed interface Bijective extends Part {
    Bijection g();
  }

  record Spline(SplineAutoregressive g) implements Bijective {}

  record MaskedAffine(AffineAutoregressive g) implements Bijective {}

  /** The one part in which rows depend on each other, while a model is trained. */
  record Normalisation(BatchNorm g) implements Bijective {}

  record Lu(LuLinear g) implements Bijective {}

  record SinhArcsinhMap(SinhArcsinh g) implements Bijective {}

  record Reordering(Permutation g) implements Bijective {}

  record Reversal(Flip g) implements Bijective {}

  /** Maps w to e^{s(u)} (w + t(u)), and adds Σ s(u) (eq. 6). */
  record IndexAffine(int layer, Mlp st) implements Part {}

  /** Adds log r(u|w, x) - log q(u|w), r being the normal that a network makes. */
  sealed interface Auxiliary extends Part {
    int layer();

    /** The network as the model has it. */
    ConditionalNetwork network();
  }

  /** By a network of w alone. */
  record VectorAuxiliary(int layer, Mlp r, ConditionalNetwork network) implements Auxiliary {}

  /** By a network of w and the observed image. */
  record ImageAuxiliary(int layer, ImageVectorNet r, ConditionalNetwork network)
      implements Auxiliary {}

  /** Adds log p(x, w), w being z by then; the last part. */
  sealed interface Score extends Part {}

  record MixtureScore(MixtureTarget target) implements Score {}

  /** By numbers that somebody's Java code gives. */
  record HostScore(HostTarget target) implements Score {}

  record SmallDecoderScore(BernoulliImageModel target, SmallDecoder decoder) implements Score {}

  record LargeDecoderScore(BernoulliImageModel target, LargeDecoder decoder) implements Score {}

  /** What libtorch runs. */
  sealed interface Torch extends Part {
    Piece piece();
  }

  /** From w to one column more: the next w, and what is added to the log-weight. */
  record TorchMap(Piece piece) implements Torch {}

  /** From w to the means of u and the logarithms of its standard deviations, as r sees them. */
  record TorchAuxiliary(int layer, Piece piece) implements Torch {}

  /** From z to one column, log p(x, z). */
  record TorchScore(Piece piece) implements Torch {}

  /** Whether a hand-written kernel of it saves so much that a step with pieces is worth it. */
  default boolean heavy() {
    return switch (this) {
      case Spline _, MaskedAffine _, Lu _, IndexDraw _, IndexAffine _, Auxiliary _ -> true;
      case SinhArcsinhMap _, MixtureScore _, SmallDecoderScore _, LargeDecoderScore _ -> true;
      case ConstantDraw(NormalBase base) -> base.mean().requires_grad(); // mean-field
      case DataDraw _, EncodedDraw _, Normalisation _, Reordering _, Reversal _ -> false;
      case HostScore _, Torch _ -> false;
    };
  }
}
