package cifvi.engine.graph;

import cifvi.bijection.Bijection;
import cifvi.bijection.IndexedBijection;
import cifvi.distribution.Base;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.NormalBase;
import cifvi.nn.ConvEncoder;
import cifvi.nn.FlatParameters;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.LargeDecoder;
import cifvi.nn.Mlp;
import cifvi.nn.SmallDecoder;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.target.BernoulliImageModel;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Turns a model into the operations of its layers, in the order of the forward pass. The switches
 * here are the one place, beside that of {@link BijectionOps}, that knows which part has which
 * operations. What only the log-weight waits for, targets and r, may be {@link DeviceSegment}s, or
 * a {@link DecoderSegment}; everything else must have operations. An r that looks at a picture is a
 * branch, and the decoder of pictures one more beside it.
 */
final class DeviceCompiler {
  /** Thrown for a part of a model that has no operation and cannot be a segment. */
  static final class UncoveredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UncoveredException(String why) {
      super(why);
    }

    UncoveredException(String what, Object part) {
      this(what + " " + name(part) + " has no CUDA kernel");
    }
  }

  /** log r(u|z) - log q(u|w) of a layer whose r is a segment. */
  private record LateAuxiliary(Variable normal, Variable u, Variable logQ) {}

  private final FlatParameters flat;
  private final ProgramLayout layout = new ProgramLayout();
  private final LinearOps linear;
  private final PictureOps pictures;
  private final BijectionOps bijections;
  private final List<DeviceSegment> late = new ArrayList<>();
  private Optional<DecoderSegment> decoder = Optional.empty();
  private final List<LateAuxiliary> lateAuxiliaries = new ArrayList<>();
  private final List<Runnable> branches = new ArrayList<>(); // each adds its operations

  private DeviceCompiler(FlatParameters flat, boolean learn) {
    this.flat = flat;
    linear = new LinearOps(flat, layout);
    pictures = new PictureOps(flat, layout, linear);
    bijections = new BijectionOps(flat, layout, linear, learn);
  }

  /**
   * The program of a model.
   *
   * @param learn whether it is for training steps, in which batch norm looks at the whole batch
   * @throws UncoveredException where a part has no operation and cannot be a segment
   */
  static CompiledProgram compile(Model model, boolean learn) {
    return new DeviceCompiler(model.parameters().flat(), learn).program(model);
  }

  private CompiledProgram program(Model model) {
    Variable w = base(model.posterior().base());
    List<Layer> layers = model.posterior().layers();
    for (int i = 0; i < layers.size(); i++) {
      w = layer(layers.get(i), i, w);
    }
    layout.keep(w);
    Optional<Variable> logJoint = target(model, w);
    Map<Variable, Variable> exported = new HashMap<>();
    late.replaceAll(s -> s.reading(v -> exported.computeIfAbsent(v, layout::export)));
    for (Runnable branch : branches) {
      layout.branch();
      branch.run();
    }
    int last = layout.cut();
    lateStage(logJoint);
    var starts = IntStream.rangeClosed(last - branches.size(), last).map(layout::start).boxed();
    return new CompiledProgram(layout, bijections.norms(), late, decoder, starts.toList(), w);
  }

  /** What the log-weight gets from segments. */
  private void lateStage(Optional<Variable> logJoint) {
    for (LateAuxiliary a : lateAuxiliaries) {
      layout.imported(a.normal);
      auxiliary(a.normal, a.u, a.logQ);
    }
    logJoint.ifPresent(
        v -> {
          layout.imported(v);
          layout.add(Op.of(OpKind.TERM, List.of(v), List.of()));
        });
  }

  /** Adds the operations of a target, or gives what the segment leaves that it is. */
  private Optional<Variable> target(Model model, Variable z) {
    switch (model.target()) {
      case MixtureTarget mixture -> mixture(mixture, z);
      case BernoulliImageModel(SmallDecoder decoder) when branches.isEmpty() -> decode(decoder, z);
      case BernoulliImageModel(SmallDecoder decoder) -> branches.add(() -> decode(decoder, z));
      case BernoulliImageModel images when images.decoder() instanceof LargeDecoder large -> {
        Variable out = layout.variable(1);
        decoder = Optional.of(new DecoderSegment(images, large, layout.export(z), out));
        return Optional.of(out);
      }
      case Target target -> {
        Variable out = layout.variable(1);
        late.add(
            new DeviceSegment(
                name(target),
                List.of(z),
                out,
                (in, x) -> model.logJoint(x, in.getFirst()).unsqueeze(1)));
        return Optional.of(out);
      }
    }
    return Optional.empty();
  }

  private void decode(SmallDecoder decoder, Variable z) {
    Variable logits = pictures.decoded(decoder, z);
    layout.add(Op.of(OpKind.BERNOULLI, List.of(logits, z), List.of()));
  }

  private Variable base(Base base) {
    return switch (base) {
      case NormalBase normal -> {
        int d = Math.toIntExact(normal.mean().size(0));
        boolean learnt = flat.holds(normal.logStd());
        int mean = layout.constants(normal.mean());
        int logStd =
            learnt
                ? Math.toIntExact(flat.offset(normal.logStd()))
                : layout.constants(normal.logStd());
        Variable both = layout.variable(2 * d);
        layout.add(Op.of(OpKind.ROW, List.of(), List.of(both), mean, logStd, learnt ? 1 : 0));
        if (learnt) {
          layout.train(WeightMap.bias(both, d, d, logStd));
        }
        yield drawBase(both);
      }
      case EncodedNormal(ConvEncoder encoder) -> drawBase(pictures.encoded(encoder));
      default -> throw new UncoveredException("base", base);
    };
  }

  private Variable drawBase(Variable normal) {
    Variable w = layout.variable(normal.size() / 2);
    Variable noise = layout.noise(Noise.BASE_STREAM, w.size());
    layout.add(Op.of(OpKind.DRAW, List.of(normal), List.of(w), noise.number()));
    return w;
  }

  private Variable layer(Layer layer, int i, Variable w) {
    return switch (layer) {
      case FlowLayer(Bijection g) -> bijections.add(g, w);
      case CifLayer(
              IndexedBijection(Bijection g, Mlp st),
              ConditionalNormal(ConditionalNetwork.Plain(Mlp q)),
              ConditionalNormal(ConditionalNetwork r)) ->
          cif(g, st, q, r, i, w);
      default -> throw new UncoveredException("layer", layer);
    };
  }

  private Variable cif(Bijection g, Mlp st, Mlp q, ConditionalNetwork r, int i, Variable w) {
    Variable normal = linear.mlp(q, w);
    Variable u = layout.variable(normal.size() / 2);
    Variable logQ = layout.variable(u.size());
    Variable noise = layout.noise(i + 1, u.size());
    layout.add(Op.of(OpKind.DRAW, List.of(normal), List.of(u, logQ), noise.number()));
    Variable inner = bijections.add(g, w);
    Variable ts = linear.mlp(st, u);
    Variable z = layout.variable(w.size());
    layout.add(Op.of(OpKind.AFFINE, List.of(inner, ts), List.of(z)));
    switch (r) {
      case ConditionalNetwork.Plain(Mlp network) -> auxiliary(linear.mlp(network, z), u, logQ);
      case ConditionalNetwork.OfImage(ImageVectorNet network) ->
          branches.add(() -> auxiliary(pictures.joined(network, z), u, logQ));
      default -> {
        Variable given = layout.variable(2 * u.size());
        late.add(new DeviceSegment("r", List.of(z), given, (in, x) -> r.apply(in.getFirst(), x)));
        lateAuxiliaries.add(new LateAuxiliary(given, u, logQ));
      }
    }
    return z;
  }

  private void auxiliary(Variable normal, Variable u, Variable logQ) {
    layout.add(Op.of(OpKind.AUXILIARY, List.of(normal, u, logQ), List.of()));
  }

  private void mixture(MixtureTarget target, Variable z) {
    int components = Math.toIntExact(target.logFactors().size(0));
    int constants = layout.constants(target.means());
    layout.constants(target.whitening());
    layout.constants(target.logFactors());
    Variable exponents = layout.variable(components);
    Variable whitened = layout.variable(components * z.size());
    layout.add(Op.of(OpKind.MIXTURE, List.of(z), List.of(exponents, whitened), constants));
  }

  private static String name(Object part) {
    String name = part.getClass().getSimpleName();
    return name.contains("$$Lambda") ? "function" : name;
  }
}
