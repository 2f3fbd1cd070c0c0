package cifvi.bijection;

import cifvi.bijection.SplineAutoregressive.Options;
import cifvi.nn.Conditioner;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.testing.Tensors;
import java.util.List;
import java.util.function.Function;
import org.bytedeco.pytorch.Tensor;

/** Every bijection of the library, with small networks, for the contract tests. */
final class BijectionCases {
  private static final double JITTER = 0.15;

  /**
   * A named constructor.
   *
   * @param anyWidth whether the map accepts any number of features
   */
  record Case(
      String name, int features, boolean anyWidth, Function<Parameters, Bijection> constructor) {
    Case(String name, int features, Function<Parameters, Bijection> constructor) {
      this(name, features, false, constructor);
    }

    /** The bijection with all its parameters moved away from their start. */
    Bijection create(Parameters parameters, long seed) {
      Bijection g = constructor.apply(parameters);
      Tensors.jitter(parameters, seed, JITTER);
      return g;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private BijectionCases() {}

  static List<Case> all() {
    return List.of(
        new Case("spline, d = 2, 8 bins", 2, p -> spline(p, 2, 8)),
        new Case("spline, d = 2, 4 bins", 2, p -> spline(p, 2, 4)),
        new Case("spline, d = 5, 8 bins", 5, p -> spline(p, 5, 8)),
        new Case("spline, d = 5, 4 bins", 5, p -> spline(p, 5, 4)),
        new Case("affine autoregressive", 5, BijectionCases::made),
        new Case("spline coupling", 5, BijectionCases::splineCoupling),
        new Case("affine coupling", 5, BijectionCases::affineCoupling),
        new Case("LU linear", 5, p -> new LuLinear(p, 5)),
        new Case("permutation", 5, p -> new Permutation(p, 3, 0, 4, 1, 2)),
        new Case("random permutation", 5, p -> Permutation.random(p, 5)),
        new Case("sinh-arcsinh", 5, p -> new SinhArcsinh(p, 5)),
        new Case("flip", 5, true, _ -> new Flip()),
        new Case("batch norm", 3, BijectionCases::batchNorm),
        new Case("affine", 3, BijectionCases::affine),
        new Case("chain", 5, BijectionCases::chain),
        new Case("inverse", 5, p -> new Inverse(made(p))),
        new Case("indexed, around a flow", 5, p -> indexed(p, made(p.in("g")))),
        new Case("indexed, affine alone", 5, p -> indexed(p, Chain.IDENTITY)),
        new Case("identity", 2, true, _ -> Chain.IDENTITY));
  }

  private static Bijection spline(Parameters p, int features, int bins) {
    return new SplineAutoregressive(p, features, new Options(12, 2, bins, 3));
  }

  private static Bijection made(Parameters p) {
    return new AffineAutoregressive(p, 5, 12, 12);
  }

  private static Bijection splineCoupling(Parameters p) {
    return new SplineAutoregressive(p, 5, Conditioner.COUPLING, new Options(12, 2, 4, 3));
  }

  private static Bijection affineCoupling(Parameters p) {
    return new AffineAutoregressive(p, 5, Conditioner.COUPLING, 12, 12);
  }

  private static Bijection batchNorm(Parameters p) {
    var norm = new BatchNorm(p, 3);
    set(p, "running_mean", 0.7, -1.2, 0.1);
    set(p, "running_var", 2.3, 0.4, 1.1);
    return norm;
  }

  private static void set(Parameters p, String buffer, double... values) {
    Tensors.get(p.buffers(), buffer).copy_(p.backend().tensor(values, values.length));
  }

  private static Bijection affine(Parameters p) {
    Backend backend = p.backend();
    return new Affine(p.add("s", backend.full(0.2, 1, 3)), p.add("t", backend.full(-0.5, 1, 3)));
  }

  /** G(·; u) with one u for all rows, made anew at every call as a layer does. */
  private record At(IndexedBijection G, Tensor u) implements Bijection {
    @Override
    public Mapped forward(Tensor w) {
      return G.at(u).forward(w);
    }

    @Override
    public Mapped inverse(Tensor z) {
      return G.at(u).inverse(z);
    }
  }

  private static Bijection indexed(Parameters p, Bijection g) {
    var st = new Mlp(p.in("st"), 2, 6, 10);
    return new At(new IndexedBijection(g, st), Tensors.normal(p.backend(), 5, 1, 2));
  }

  private static Bijection chain(Parameters p) {
    return Chain.of(
        new LuLinear(p.in("0"), 5),
        Permutation.random(p.in("1"), 5),
        spline(p.in("2"), 5, 4),
        new Flip(),
        made(p.in("4")));
  }
}
