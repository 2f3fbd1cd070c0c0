package cifvi.engine.internal.parity;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.IndexedBijection;
import cifvi.bijection.Mapped;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Base;
import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.DiagonalNormal;
import cifvi.distribution.Distribution;
import cifvi.distribution.Draw;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.posterior.Step;
import cifvi.target.BernoulliImageModel;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import cifvi.vi.Model;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A model whose layers, bijections, networks and target hand each other moved numbers, and moved
 * gradients in the backward pass: as a computation does that rounds after every step.
 */
record Rounded(HalfUlps ulps, RoundedNetworks networks, Parameters parameters) {
  private static final double HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

  /** Such a model, with the parameters of the given one. */
  static Model model(Model model, HalfUlps ulps) {
    return new Rounded(ulps, new RoundedNetworks(ulps), model.parameters()).model(model);
  }

  private Model model(Model model) {
    var posterior = model.posterior();
    var layers = posterior.layers().stream().map(this::layer).toList();
    return new Model(
        new Posterior(base(posterior.base()), layers), target(model.target()), parameters);
  }

  private Base base(Base base) {
    return switch (base) {
      case EncodedNormal(var encoder) ->
          x -> density(new EncodedNormal(images -> networks.apply(encoder, images)).given(x));
      case NormalBase normal -> x -> density(normal.given(x));
      default -> base;
    };
  }

  /** The constants of its logarithm are the same in all rows, and so is what they are moved by. */
  private Distribution density(DiagonalNormal normal) {
    Tensor constants = normal.logStd().narrow(0, 0, 1).add(Scalars.of(HALF_LOG_2PI));
    Tensor move = ulps.shift(torch.zeros_like(constants), constants).sum();
    return new Distribution() {
      @Override
      public Draw sample(Rng rng) {
        Draw draw = normal.sample(rng);
        return new Draw(draw.value(), both(draw.logDensity()).add(move));
      }

      @Override
      public Tensor logDensity(Tensor v) {
        return both(normal.logDensity(v)).add(move);
      }
    };
  }

  private Layer layer(Layer layer) {
    return switch (layer) {
      case FlowLayer(Bijection g) -> between(new FlowLayer(bijection(g)));
      case CifLayer(IndexedBijection(var g, var st), var q, var r) ->
          between(
              new CifLayer(
                  new IndexedBijection(bijection(g), u -> networks.apply(st, u)),
                  conditional(q),
                  conditional(r)));
      default -> between(layer);
    };
  }

  private Conditional conditional(Conditional conditional) {
    return conditional instanceof ConditionalNormal(var network)
        ? new ConditionalNormal((w, x) -> networks.apply(network, w, x))
        : conditional;
  }

  private Bijection bijection(Bijection g) {
    return switch (g) {
      case Chain(var parts) -> new Chain(parts.stream().map(this::bijection).toList());
      case SplineAutoregressive spline -> part(new RoundedSpline(spline, networks, ulps));
      case AffineAutoregressive affine -> part(new RoundedAffine(affine, networks));
      case BatchNorm norm -> part(new RoundedBatchNorm(norm, parameters, ulps));
      default -> part(g);
    };
  }

  private Target target(Target target) {
    return switch (target) {
      case MixtureTarget mixture -> (_, z) -> both(exponents(mixture, both(z)).logsumexp(0));
      case BernoulliImageModel(var decoder) -> {
        var moved = new BernoulliImageModel(z -> networks.apply(decoder, z));
        yield (x, z) -> both(moved.logJoint(x, both(z)));
      }
      default -> (x, z) -> both(target.logJoint(x, both(z)));
    };
  }

  /** Of the components, {@code [K, batch]}: far from all of them these are large numbers. */
  private Tensor exponents(MixtureTarget mixture, Tensor z) {
    Tensor difference = z.unsqueeze(0).sub(mixture.means().unsqueeze(1));
    Tensor e = torch.bmm(difference, mixture.whitening());
    Tensor squares = e.mul(e).sum(-1).mul(Scalars.of(-0.5));
    return both(squares.add(mixture.logFactors().unsqueeze(1)));
  }

  private Tensor both(Tensor x) {
    return ulps.both(x);
  }

  private Mapped both(Mapped mapped) {
    return new Mapped(both(mapped.value()), both(mapped.logDet()));
  }

  private Bijection part(Bijection g) {
    return new Bijection() {
      @Override
      public Mapped forward(Tensor w) {
        return both(g.forward(w));
      }

      @Override
      public Mapped inverse(Tensor z) {
        return both(g.inverse(z));
      }
    };
  }

  private Layer between(Layer layer) {
    return new Layer() {
      @Override
      public Step forward(Tensor w, Observation x, Rng rng) {
        return both(layer.forward(both(w), x, rng));
      }

      @Override
      public Step backward(Tensor z, Observation x, Rng rng) {
        return both(layer.backward(both(z), x, rng));
      }

      @Override
      public boolean indexed() {
        return layer.indexed();
      }
    };
  }

  private Step both(Step step) {
    return new Step(step.w(), both(step.logWeight()), step.u());
  }
}
