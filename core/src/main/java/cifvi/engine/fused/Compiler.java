package cifvi.engine.fused;

import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Base;
import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.NormalBase;
import cifvi.nn.Mlp;
import cifvi.nn.Network;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Turns a model into the kernels of its layers, in the order of the forward pass. The switches here
 * are the one place that knows which layer has which kernel.
 */
final class Compiler {
  /** Thrown for a part of a model that has no kernel. */
  static final class UncoveredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UncoveredException(String what, Object part) {
      super(what + " " + part.getClass().getSimpleName() + " has no kernel");
    }
  }

  private final Weights weights;
  private final Layout layout = new Layout();
  private final List<Kernel> kernels = new ArrayList<>();

  private Compiler(Weights weights) {
    this.weights = weights;
  }

  /**
   * The program of a model.
   *
   * @throws UncoveredException where a part has no kernel
   */
  static Program compile(Model model) {
    var weights = new Weights(model.parameters().flat());
    return new Compiler(weights).program(model);
  }

  private Program program(Model model) {
    Layout.Var w = base(model.posterior().base());
    List<Layer> layers = model.posterior().layers();
    for (int i = 0; i < layers.size(); i++) {
      w = layer(layers.get(i), i, w);
    }
    target(model.target(), w);
    return new Program(weights, layout, List.copyOf(kernels), w);
  }

  private Layout.Var base(Base base) {
    return switch (base) {
      case NormalBase normal -> {
        var kernel = add(new NormalBaseKernel(normal, weights, layout));
        yield kernel.out();
      }
      default -> throw new UncoveredException("base", base);
    };
  }

  private Layout.Var layer(Layer layer, int index, Layout.Var w) {
    return switch (layer) {
      case FlowLayer flow -> bijection(flow.g(), w);
      case CifLayer cif -> cif(cif, index, w);
      default -> throw new UncoveredException("layer", layer);
    };
  }

  private Layout.Var cif(CifLayer cif, int i, Layout.Var w) {
    Net q = conditional(cif.q(), w);
    var index = IndexKernel.Index.of(q.out().size() / 2, i + 1, layout);
    add(new IndexKernel(q, index));
    Layout.Var inner = bijection(cif.G().g(), w);
    var affine = add(new AffineKernel(network(cif.G().st(), index.u()), inner, layout));
    add(new AuxiliaryKernel(conditional(cif.r(), affine.out()), index));
    return affine.out();
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
      case Permutation p -> permutation(LongStream.of(p.order()).mapToInt(Math::toIntExact), w);
      case Flip _ -> permutation(IntStream.range(0, w.size()).map(j -> w.size() - 1 - j), w);
      default -> throw new UncoveredException("bijection", g);
    };
  }

  private Layout.Var permutation(IntStream order, Layout.Var w) {
    return add(new PermutationKernel(order.toArray(), w, layout)).out();
  }

  private Net conditional(Conditional conditional, Layout.Var w) {
    return switch (conditional) {
      case ConditionalNormal(ConditionalNetwork.Plain(Network network)) -> network(network, w);
      default -> throw new UncoveredException("conditional density", conditional);
    };
  }

  private Net network(Network network, Layout.Var in) {
    return switch (network) {
      case Mlp mlp -> new MlpKernel(mlp, in, weights, layout);
      default -> throw new UncoveredException("network", network);
    };
  }

  private void target(Target target, Layout.Var z) {
    switch (target) {
      case MixtureTarget mixture -> add(new MixtureKernel(mixture, z, layout));
      default -> throw new UncoveredException("target", target);
    }
  }

  private <K extends Kernel> K add(K kernel) {
    kernels.add(kernel);
    return kernel;
  }
}
