package cifvi.posterior;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.IndexedBijection;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Base;
import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.nn.ConvEncoder;
import cifvi.nn.FlatParameters;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.nn.SmallDecoder;
import cifvi.target.BernoulliImageModel;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/** Small models of every kind the paper has, for tests. */
public final class Posteriors {
  /** Where a CIF layer's affine stands: after the flow's bijection, or before it. */
  public enum Placement {
    PAPER,
    RELEASED
  }

  /** The bijection a posterior is made of. */
  public enum Flow {
    NSF,
    MAF
  }

  /** A model family; amortised ones see images and have, for NSF, an LU map before each perm. */
  public record Kind(Flow flow, Placement placement, boolean amortised, Precision precision) {
    public int features() {
      return amortised ? 4 : 2;
    }

    public int indices() {
      return amortised ? 2 : 1;
    }

    /** All eight kinds in one precision. */
    public static Stream<Kind> all(Precision precision) {
      return Arrays.stream(Flow.values())
          .flatMap(
              flow ->
                  Arrays.stream(Placement.values()).map(p -> new Kind(flow, p, false, precision)))
          .flatMap(k -> Stream.of(k, new Kind(k.flow, k.placement, true, precision)));
    }
  }

  /** Number of steps and width of their networks. */
  public record Size(int steps, int hidden) {
    public static final Size SMALL = new Size(3, 12);

    /** That of paper section 4.1. */
    public static final Size PAPER = new Size(5, 32);
  }

  private static final int CHANNELS = 2;

  private Posteriors() {}

  /** The CIF, freshly initialised. */
  public static Model cif(Kind kind, long seed) {
    return cif(kind, Size.SMALL, seed);
  }

  public static Model cif(Kind kind, Size size, long seed) {
    return model(kind, size, seed, true);
  }

  /** The plain flow that {@link #cif} extends; its tensors have the same names there. */
  public static Model flow(Kind kind, long seed) {
    return flow(kind, Size.SMALL, seed);
  }

  public static Model flow(Kind kind, Size size, long seed) {
    return model(kind, size, seed, false);
  }

  /** Binary images for an amortised posterior, only the number of draws for another one. */
  public static Observation observation(Kind kind, long rows) {
    if (!kind.amortised) {
      return Observation.none(rows);
    }
    Backend backend = Backend.cpu(kind.precision);
    Tensor u = new CounterRng(backend, 99, Purpose.BINARISE).uniform(rows, 784);
    return Observation.of(u.lt(Scalars.of(0.3)).to(u.scalar_type()).view(rows, 1, 28, 28));
  }

  /** Adds N(0, scale²) to every parameter, so that nothing stays at a special starting value. */
  public static void perturb(Model model, double scale, long seed) {
    var flat = model.parameters().flat();
    var rng = new CounterRng(model.parameters().backend(), seed, Purpose.SAMPLE);
    flat.update(
        () -> {
          int i = 0;
          for (String name : flat.slices().keySet()) {
            Tensor view = flat.view(flat.values(), name);
            Tensor noise = rng.layer(i++).normal(1, view.numel()).view(view.shape());
            view.add_(noise, Scalars.of(scale));
          }
        });
  }

  /** A CIF from another seed, made to equal {@code flow} as Prop. 3.1 says: s = t = 0, q = r. */
  public static Model neutral(Kind kind, Model flow) {
    Model cif = cif(kind, 2);
    copy(flow, cif);
    FlatParameters flat = cif.parameters().flat();
    flat.update(
        () ->
            flat.slices().keySet().stream()
                .filter(Posteriors::isLastWeight)
                .forEach(name -> flat.view(flat.values(), name).zero_()));
    fillBiases(flat, "st", 0);
    fillBiases(flat, "q", -0.2);
    fillBiases(flat, "r", -0.2);
    return cif;
  }

  private static void copy(Model from, Model to) {
    var source = from.parameters().state();
    var state = to.parameters().state();
    state.putAll(source);
    to.parameters().load(state);
  }

  /** The last layer of st and q is {@code 2}, that of r also {@code convnet.fc}. */
  private static boolean isLastWeight(String name) {
    return name.matches("layers\\.\\d\\.(st|q|r)\\.(2|convnet\\.fc)\\.weight");
  }

  /** Sets the last biases of all st, q or r. */
  static void fillBiases(FlatParameters flat, String part, double value) {
    flat.update(
        () ->
            flat.slices().keySet().stream()
                .filter(n -> n.matches("layers\\.\\d\\." + part + "\\.(2|convnet\\.fc)\\.bias"))
                .forEach(name -> flat.view(flat.values(), name).fill_(Scalars.of(value))));
  }

  /** The same posterior for another target. */
  public static Model with(Target target, Model model) {
    return new Model(model.posterior(), target, model.parameters());
  }

  private static Model model(Kind kind, Size size, long seed, boolean indexed) {
    var parameters = new Parameters(Backend.cpu(kind.precision), seed);
    var layers = layers(kind, size, parameters, indexed);
    return new Model(
        new Posterior(base(kind, parameters), layers), target(kind, parameters), parameters);
  }

  private static Base base(Kind kind, Parameters parameters) {
    return kind.amortised
        ? new EncodedNormal(
            new ConvEncoder(parameters.in("encoder"), CHANNELS, 2 * kind.features()))
        : NormalBase.create(parameters.in("base"), kind.features(), 1, false);
  }

  private static Target target(Kind kind, Parameters parameters) {
    return kind.amortised
        ? new BernoulliImageModel(
            new SmallDecoder(parameters.in("decoder"), kind.features(), CHANNELS))
        : MixtureTarget.paper(parameters.backend(), 9);
  }

  private static List<Layer> layers(Kind kind, Size size, Parameters parameters, boolean indexed) {
    var layers = new ArrayList<Layer>();
    if (kind.flow == Flow.NSF) {
      layers.addAll(flows(kind, reorder(kind, parameters.in("start"))));
    }
    for (int l = 0; l < size.steps; l++) {
      if (kind.flow == Flow.MAF && l > 0) {
        layers.add(new FlowLayer(new Flip()));
      }
      layers.addAll(
          step(kind, size.hidden, parameters.in("layers").in(Integer.toString(l)), indexed));
    }
    return layers;
  }

  /** One step of the flow, with its affine where the placement has it. */
  private static List<Layer> step(Kind kind, int hidden, Parameters parameters, boolean indexed) {
    List<Bijection> parts = parts(kind, hidden, parameters);
    if (!indexed) {
      return flows(kind, parts);
    }
    return switch (kind.placement) {
      case PAPER -> List.of(indexed(kind, parameters, new Chain(parts)));
      case RELEASED ->
          Stream.concat(
                  Stream.of(indexed(kind, parameters, Chain.IDENTITY)), flows(kind, parts).stream())
              .toList();
    };
  }

  private static List<Bijection> parts(Kind kind, int hidden, Parameters parameters) {
    return switch (kind.flow) {
      case MAF -> List.of(new AffineAutoregressive(parameters, kind.features(), hidden, hidden));
      case NSF -> {
        var parts = new ArrayList<Bijection>();
        parts.add(
            new SplineAutoregressive(
                parameters, kind.features(), SplineAutoregressive.Options.paper(hidden)));
        parts.addAll(reorder(kind, parameters));
        yield parts;
      }
    };
  }

  private static List<Bijection> reorder(Kind kind, Parameters parameters) {
    Bijection permutation = Permutation.random(parameters, kind.features());
    return kind.amortised
        ? List.of(new LuLinear(parameters, kind.features()), permutation)
        : List.of(permutation);
  }

  /**
   * Log-determinants are added in the order of the CIF: in groups there, or one after the other.
   */
  private static List<Layer> flows(Kind kind, List<Bijection> parts) {
    return kind.placement == Placement.PAPER
        ? List.of(new FlowLayer(new Chain(parts)))
        : parts.stream().<Layer>map(FlowLayer::new).toList();
  }

  private static Layer indexed(Kind kind, Parameters parameters, Bijection g) {
    var st = new Mlp(parameters.in("st"), kind.indices(), 10, 10, 2L * kind.features());
    var q = new Mlp(parameters.in("q"), kind.features(), 10, 10, 2L * kind.indices());
    return new CifLayer(
        new IndexedBijection(g, st), new ConditionalNormal(q), r(kind, parameters.in("r")));
  }

  private static Conditional r(Kind kind, Parameters parameters) {
    return kind.amortised
        ? new ConditionalNormal(
            ConditionalNetwork.of(
                new ImageVectorNet(parameters, kind.features(), CHANNELS, 2 * kind.indices())))
        : new ConditionalNormal(new Mlp(parameters, kind.features(), 10, 10, 2L * kind.indices()));
  }
}
