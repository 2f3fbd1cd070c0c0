package cifvi.engine.fused;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.IndexedBijection;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Mapped;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Base;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.NormalBase;
import cifvi.nn.ConvEncoder;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Mlp;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Step;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Turns a model into the kernels of its layers, in the order of the forward pass. The switches here
 * are the one place that knows which layer has which kernel; what has none becomes a {@link
 * Segment}.
 */
final class Compiler {
  /** Thrown for a part of a model that has neither a kernel nor a size known beforehand. */
  static final class UncoveredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UncoveredException(String what, Object part) {
      super(what + " " + name(part) + " has no kernel");
    }
  }

  private final Weights weights;
  private final boolean training;
  private final Layout layout = new Layout();
  private final List<Program.Stage> stages = new ArrayList<>();
  private List<Kernel> kernels = new ArrayList<>();

  private @Nullable Planes planes;

  // What nothing but the log-weight waits for: one stage of segments after all layers.
  private final List<Segment> lateSegments = new ArrayList<>();
  private final List<Kernel> lateKernels = new ArrayList<>();

  private Compiler(Model model, boolean training) {
    this.weights = new Weights(model.parameters().flat());
    this.training = training;
  }

  /**
   * The program that trains a model.
   *
   * @throws UncoveredException where a part has no kernel and cannot be a segment
   */
  static Program forTraining(Model model) {
    return new Compiler(model, true).program(model);
  }

  /**
   * The program that draws from a trained model: no way back to the parameters, batch norm with its
   * running averages.
   */
  static Program forEvaluation(Model model) {
    return new Compiler(model, false).program(model);
  }

  private Program program(Model model) {
    Layout.Var w = base(model.posterior().base());
    List<Layer> layers = model.posterior().layers();
    for (int i = 0; i < layers.size(); i++) {
      w = layer(layers.get(i), i, w);
    }
    boolean reversible = stages.isEmpty() && lateSegments.isEmpty();
    target(model, w);
    segments(lateSegments);
    kernels.addAll(lateKernels);
    endKernels();
    return new Program(weights, layout, List.copyOf(stages), planes, w, reversible);
  }

  private Layout.Var base(Base base) {
    return switch (base) {
      case NormalBase normal -> add(new NormalBaseKernel(normal, weights, layout)).out();
      case EncodedNormal(ConvEncoder encoder) when tiled(encoder) -> {
        yield add(new EncodedBaseKernel(encoder(encoder), layout)).out();
      }
      default -> throw new UncoveredException("base", base);
    };
  }

  private Net encoder(ConvEncoder encoder) {
    int plane = training ? planes().observed() : planes().at();
    var net = new ConvEncoderKernel(encoder, plane, planes(), weights, layout);
    return training ? net : new SharedEncoder(net, planes());
  }

  private Layout.Var layer(Layer layer, int i, Layout.Var w) {
    return switch (layer) {
      case FlowLayer(Bijection g) -> bijection(g, w);
      case CifLayer(
              IndexedBijection(Bijection g, Mlp st),
              ConditionalNormal(ConditionalNetwork.Plain(Mlp q)),
              ConditionalNormal(ConditionalNetwork r)) ->
          cif(g, st, q, r, i, w);
      default ->
          mapped(
              name(layer),
              w,
              (in, x, rng) -> {
                Step step = layer.forward(in.getFirst(), x, rng.layer(i));
                return columns(step.w(), step.logWeight());
              });
    };
  }

  private Layout.Var cif(Bijection g, Mlp st, Mlp q, ConditionalNetwork r, int i, Layout.Var w) {
    Net qNet = mlp(q, w);
    var index = IndexKernel.Index.of(qNet.out().size() / 2, i + 1, layout);
    add(new IndexKernel(qNet, index));
    Layout.Var inner = bijection(g, w);
    Layout.Var z = add(new AffineKernel(mlp(st, index.u()), inner, layout)).out();
    switch (r) {
      case ConditionalNetwork.Plain(Mlp rMlp) -> add(new AuxiliaryKernel(mlp(rMlp, z), index));
      case ConditionalNetwork.OfImage(ImageVectorNet net) when tiled(net.convnet()) ->
          add(new AuxiliaryKernel(new ConvEncoderKernel(net, z, planes(), weights, layout), index));
      default -> {
        Layout.Var normal = layout.variable(2 * index.u().size());
        var segment = new Segment("r", List.of(z), normal, (in, x, _) -> r.apply(in.getFirst(), x));
        lateSegments.add(segment);
        lateKernels.add(new AuxiliaryKernel(segment.asNet(), index));
      }
    }
    return z;
  }

  private Layout.Var bijection(Bijection g, Layout.Var w) {
    return switch (g) {
      case Chain chain -> {
        Layout.Var last = w;
        for (Bijection part : chain.parts()) {
          last = bijection(part, last);
        }
        yield last;
      }
      case SplineAutoregressive spline when spline.spline().bins() > 1 ->
          add(new SplineFlowKernel(spline, w, weights, layout)).out();
      case AffineAutoregressive affine ->
          add(new MaskedAffineKernel(affine, w, weights, layout)).out();
      case BatchNorm norm -> batchNorm(new BatchNormKernel(norm, w, weights, layout));
      case LuLinear lu -> add(new LuKernel(lu, w, weights, layout)).out();
      case Permutation p -> add(PermutationKernel.of(p, w, layout)).out();
      case Flip _ -> add(PermutationKernel.flip(w, layout)).out();
      default ->
          mapped(
              name(g),
              w,
              (in, _, _) -> {
                Mapped z = g.forward(in.getFirst());
                return columns(z.value(), z.logDet());
              });
    };
  }

  private Layout.Var batchNorm(BatchNormKernel kernel) {
    if (training) {
      endKernels();
      stages.add(new Program.Coupled(kernel));
    } else {
      add(kernel);
    }
    return kernel.out();
  }

  private static boolean tiled(ConvEncoder encoder) {
    return encoder.weight().size(0) % ConvKernel.TILE == 0;
  }

  private Planes planes() {
    if (planes == null) {
      planes = Planes.of(layout);
    }
    return planes;
  }

  private Net mlp(Mlp mlp, Layout.Var in) {
    return new MlpKernel(mlp, in, weights, layout);
  }

  private void target(Model model, Layout.Var z) {
    switch (model.target()) {
      case MixtureTarget mixture -> add(new MixtureKernel(mixture, z, layout));
      case Target target -> {
        Layout.Var log = layout.variable(1);
        lateSegments.add(
            new Segment(
                name(target),
                List.of(z),
                log,
                (in, x, _) -> model.logJoint(x, in.getFirst()).unsqueeze(1)));
        lateKernels.add(new TermKernel(log.at(), log.gradient(), true));
      }
    }
  }

  /** A segment that maps w to as many columns and one more, its part of the log-weight. */
  private Layout.Var mapped(String what, Layout.Var w, Segment.Function function) {
    int d = w.size();
    Layout.Var both = layout.variable(d + 1);
    segments(List.of(new Segment(what, List.of(w), both, function)));
    int last = d * Tape.STRIDE;
    add(new TermKernel(both.at() + last, both.gradient() + last, false));
    return new Layout.Var(both.at(), both.gradient(), d);
  }

  private static Tensor columns(Tensor value, Tensor logWeight) {
    return torch.cat(new TensorVector(value, logWeight.unsqueeze(1)), 1);
  }

  private <K extends Kernel> K add(K kernel) {
    kernels.add(kernel);
    return kernel;
  }

  private void segments(List<Segment> segments) {
    if (!segments.isEmpty()) {
      endKernels();
      stages.add(new Program.Segments(List.copyOf(segments)));
    }
  }

  private void endKernels() {
    if (!kernels.isEmpty()) {
      stages.add(new Program.Kernels(List.copyOf(kernels)));
      kernels = new ArrayList<>();
    }
  }

  private static String name(Object part) {
    String name = part.getClass().getSimpleName();
    return name.contains("$$Lambda") ? "function" : name;
  }
}
