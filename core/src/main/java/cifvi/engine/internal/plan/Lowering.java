package cifvi.engine.internal.plan;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.IndexedBijection;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Mapped;
import cifvi.bijection.Permutation;
import cifvi.bijection.SinhArcsinh;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Base;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.DataRows;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.NormalBase;
import cifvi.nn.ConvEncoder;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.LargeDecoder;
import cifvi.nn.Mlp;
import cifvi.nn.SmallDecoder;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.HierarchicalLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.SemiImplicitLayer;
import cifvi.posterior.Step;
import cifvi.target.BernoulliImageModel;
import cifvi.target.HostTarget;
import cifvi.target.MixtureTarget;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Takes a model apart. The switches here are the one place that knows which class of a model is
 * which part; what they do not know is libtorch's.
 */
final class Lowering {
  private final List<Part> parts = new ArrayList<>();

  private Lowering() {}

  static List<Part> of(Model model) {
    var lowering = new Lowering();
    lowering.base(model.posterior().base());
    List<Layer> layers = model.posterior().layers();
    for (int i = 0; i < layers.size(); i++) {
      lowering.layer(layers.get(i), i);
    }
    lowering.score(model);
    return List.copyOf(lowering.parts);
  }

  private void base(Base base) {
    parts.add(
        switch (base) {
          case NormalBase normal -> new Part.ConstantDraw(normal);
          case DataRows rows -> new Part.DataDraw(rows);
          case EncodedNormal(ConvEncoder encoder) -> new Part.EncodedDraw(encoder);
          default -> throw new UncoveredException("base " + name(base) + " has no kernel");
        });
  }

  private void layer(Layer layer, int i) {
    switch (layer) {
      case FlowLayer(Bijection g) -> bijection(g);
      case CifLayer(
              IndexedBijection(Bijection g, Mlp st),
              ConditionalNormal(ConditionalNetwork.Plain(Mlp q)),
              ConditionalNormal(ConditionalNetwork r)) -> {
        parts.add(new Part.IndexDraw(i, q));
        bijection(g);
        parts.add(new Part.IndexAffine(i, st));
        parts.add(auxiliary(r, i));
      }
      case HierarchicalLayer _, SemiImplicitLayer _ ->
          throw new UncoveredException(
              name(layer) + " has no kernel, and may give z another dimension");
      default ->
          parts.add(
              map(
                  name(layer),
                  (w, x, rng) -> {
                    Step step = layer.forward(w, x, rng.layer(i));
                    return columns(step.w(), step.logWeight());
                  }));
    }
  }

  private void bijection(Bijection g) {
    switch (g) {
      case Chain(List<Bijection> chained) -> chained.forEach(this::bijection);
      case SplineAutoregressive spline -> parts.add(new Part.Spline(spline));
      case AffineAutoregressive affine -> parts.add(new Part.MaskedAffine(affine));
      case BatchNorm norm -> parts.add(new Part.Normalisation(norm));
      case LuLinear lu -> parts.add(new Part.Lu(lu));
      case SinhArcsinh map -> parts.add(new Part.SinhArcsinhMap(map));
      case Permutation permutation -> parts.add(new Part.Reordering(permutation));
      case Flip flip -> parts.add(new Part.Reversal(flip));
      default -> parts.add(map(g));
    }
  }

  private static Part auxiliary(ConditionalNetwork r, int i) {
    return switch (r) {
      case ConditionalNetwork.Plain(Mlp network) -> new Part.VectorAuxiliary(i, network, r);
      case ConditionalNetwork.OfImage(ImageVectorNet network) ->
          new Part.ImageAuxiliary(i, network, r);
      default -> auxiliary(i, r);
    };
  }

  private void score(Model model) {
    parts.add(
        switch (model.target()) {
          case MixtureTarget mixture -> new Part.MixtureScore(mixture);
          case HostTarget host -> new Part.HostScore(host);
          case BernoulliImageModel images when images.decoder() instanceof SmallDecoder decoder ->
              new Part.SmallDecoderScore(images, decoder);
          case BernoulliImageModel images when images.decoder() instanceof LargeDecoder decoder ->
              new Part.LargeDecoderScore(images, decoder);
          default -> score(name(model.target()), model);
        });
  }

  /** A part as libtorch runs it, where a back end has no kernel for it. */
  static Part torch(Part part, Model model) {
    return switch (part) {
      case Part.Bijective map -> map(map.g());
      case Part.Auxiliary auxiliary -> auxiliary(auxiliary.layer(), auxiliary.network());
      case Part.Score _ -> score(name(model.target()), model);
      case Part.Torch already -> already;
      case Part.BaseDraw _, Part.IndexDraw _, Part.IndexAffine _ ->
          throw new UncoveredException(name(part) + " has no kernel");
    };
  }

  private static Part map(Bijection g) {
    return map(
        name(g),
        (w, _, _) -> {
          Mapped z = g.forward(w);
          return columns(z.value(), z.logDet());
        });
  }

  private static Part map(String what, Piece.Function function) {
    return new Part.TorchMap(new Piece(what, function));
  }

  private static Part auxiliary(int layer, ConditionalNetwork r) {
    return new Part.TorchAuxiliary(layer, new Piece("r", (w, x, _) -> r.apply(w, x)));
  }

  private static Part score(String what, Model model) {
    return new Part.TorchScore(new Piece(what, (z, x, _) -> model.logJoint(x, z).unsqueeze(1)));
  }

  private static Tensor columns(Tensor value, Tensor logWeight) {
    return torch.cat(new TensorVector(value, logWeight.unsqueeze(1)), 1);
  }

  private static String name(Object part) {
    String name = part.getClass().getSimpleName();
    return name.contains("$$Lambda") ? "function" : name;
  }
}
