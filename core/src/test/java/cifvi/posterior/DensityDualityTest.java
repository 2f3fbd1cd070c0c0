package cifvi.posterior;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Conditional;
import cifvi.distribution.DataRows;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.nn.Parameters;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Rng;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import cifvi.vi.ForwardWeights;
import cifvi.vi.LogMeanExp;
import cifvi.vi.Model;
import cifvi.vi.Moments;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * CIFs for density estimation are Algorithm 1 with the roles exchanged (section 3.3, appendix D),
 * and many layers are one (appendix B).
 */
@ExtendWith(NativeScope.class)
class DensityDualityTest {
  /** Rounding of some hundred float64 operations. */
  private static final double ROUNDING = 1e-12;

  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final Objective ELBO = new Objective.Elbo();
  private static final int FEATURES = 2;
  private static final int ROWS = 50;

  private final Parameters parameters = new Parameters(BACKEND, 3);
  private final List<Layer> layers = List.of(cif("0"), cif("1"));

  private CifLayer cif(String name) {
    Parameters here = parameters.in("layers").in(name);
    var g = new SplineAutoregressive(here, FEATURES, new SplineAutoregressive.Options(12, 1, 5, 3));
    return CifLayer.gaussian(here, g, FEATURES, 1, 8, 8);
  }

  private Model density(List<Layer> layers) {
    return density(layers, 0.3);
  }

  private Model density(List<Layer> layers, double spread) {
    Tensors.jitter(parameters, 4, spread);
    return new Model(
        new Posterior(new DataRows(FEATURES, 0), layers),
        MixtureTarget.standardNormal(BACKEND, FEATURES),
        parameters);
  }

  /** Eq. 18 as it is written: log r_{X,U}(x, u) - log q_{U|X}(u|x), for one layer. */
  @Test
  void theBoundOfOneLayerIsTheDensityBound() {
    Model model = density(layers.subList(0, 1));
    var layer = (CifLayer) layers.getFirst();
    Tensor x = data();
    Observation seen = Observation.of(x);
    Tensor u = layer.q().given(x, seen).sample(rng().layer(0)).value();
    Tensor z = layer.G().at(u).forward(x).value();
    Tensor jacobian = Tensors.jacobian(v -> layer.G().at(u).forward(v).value(), x);
    Tensor logR =
        logStandardNormal(z)
            .add(layer.r().given(z, seen).logDensity(u))
            .add(logAbsDet(jacobian)); // log r_{X,U}(x, u)
    Tensor byHand = logR.sub(layer.q().given(x, seen).logDensity(u));
    assertThat(ELBO.value(model, seen, rng())).isCloseTo(byHand, ROUNDING);
  }

  /** Eqs. 12, 13 and 19: base q*_X, target r_Z; a known q*_X takes its log-density away. */
  @Test
  void aDensityIsInferenceWithTheRolesExchanged() {
    Model density = density(layers);
    var truth = NormalBase.create(new Parameters(BACKEND, 0), FEATURES, 0.7, false);
    Model inference =
        new Model(new Posterior(truth, layers), density.target(), density.parameters());
    Observation none = Observation.none(ROWS);
    Tensor x = truth.given(none).sample(rng()).value();
    Tensor exchanged = ELBO.value(inference, none, rng());
    Tensor bound = ELBO.value(density, Observation.of(x), rng());
    assertThat(bound.sub(truth.given(none).logDensity(x))).isCloseTo(exchanged, ROUNDING);
    Tensor gradient = gradient(bound);
    assertThat(gradient).isCloseTo(gradient(exchanged), ROUNDING);
    assertThat(gradient.abs().max().item_double()).isGreaterThan(0.01);
  }

  private Tensor gradient(Tensor bound) {
    parameters.flat().gradient().zero_();
    bound.mean().backward();
    return parameters.flat().gradient().clone();
  }

  /** The last paragraph of appendix B; q(u_l|·) looks at G^{l-1}(w; u_{1:l-1}). */
  @Test
  void manyLayersAreOneWithAllTheIndices() {
    Model many = density(layers);
    Model one =
        new Model(
            new Posterior(many.posterior().base(), List.of(new AllIndices(layers))),
            many.target(),
            parameters);
    Observation x = Observation.of(data());
    Tensor expected = ELBO.value(one, x, rng());
    assertThat(ELBO.value(many, x, rng())).isCloseTo(expected, ROUNDING);
  }

  /** r_X has the mass 1, and its draws are those that {@link Posterior#generate} gives. */
  @Test
  void importanceWeightsGiveTheDensityOfTheDraws() {
    Model model = density(layers, 0.05);
    int draws = 4000;
    Observation none = Observation.none(draws);
    Tensor z = rng().fromRow(7).normal(draws, FEATURES);
    Tensor x = model.posterior().generate(z, none, rng());
    double[] points = Backend.doubles(x);
    double[] centre = Backend.doubles(x.mean(0));
    double side = 2;
    var inBox = new Moments();
    for (int i = 0; i < draws; i++) {
      boolean in =
          Math.abs(points[2 * i] - centre[0]) < side
              && Math.abs(points[2 * i + 1] - centre[1]) < side;
      inBox.add(in ? 1 : 0);
    }
    int grid = 20;
    int cells = grid * grid;
    double[] centres = new double[2 * cells];
    for (int i = 0; i < cells; i++) {
      centres[2 * i] = centre[0] + side * (2 * (i % grid) + 1 - grid) / grid;
      centres[2 * i + 1] = centre[1] + side * (2 * (i / grid) + 1 - grid) / grid;
    }
    double mass = 0;
    var weights = new ForwardWeights(model, 10_000, Progress.SILENT);
    Observation at = Observation.of(BACKEND.tensor(centres, cells, 2));
    for (LogMeanExp point : weights.logLikelihoods(at, 200, rng())) {
      mass += Math.exp(point.value()) * (2 * side / grid) * (2 * side / grid);
    }
    var counted = inBox.estimate();
    assertThat(counted.mean()).isBetween(0.05, 0.95);
    assertThat(mass).isCloseTo(counted.mean(), within(4 * counted.standardError() + 0.005));
  }

  @Test
  void rowsOfOtherLengthsAreRefused() {
    var base = new DataRows(2, 1);
    Observation two = Observation.of(data());
    assertThatThrownBy(() -> base.given(two).sample(rng()))
        .hasMessage("x: expected rows of 3 columns, got [50, 2]");
    assertThatThrownBy(() -> base.given(Observation.none(4)).sample(rng()))
        .hasMessage("x: expected rows of 3 columns, got no observation");
  }

  /** One CIF layer whose index is that of all layers, and whose G is all of them (eq. 4). */
  private record AllIndices(List<Layer> layers) implements Layer {
    @Override
    public Step forward(Tensor w, Observation x, Rng rng) {
      var u = new TensorVector();
      Tensor logQ = w.new_zeros(w.size(0));
      Tensor before = w;
      for (int l = 0; l < layers.size(); l++) {
        var draw = layer(l).q().given(before, x).sample(rngOf(l, rng));
        u.push_back(draw.value());
        logQ = logQ.add(draw.logDensity());
        before = layer(l).G().at(draw.value()).forward(before).value();
      }
      Tensor z = g(w, u);
      Tensor logR = z.new_zeros(z.size(0));
      Tensor after = z;
      for (int l = layers.size() - 1; l >= 0; l--) {
        Conditional r = layer(l).r();
        logR = logR.add(r.given(after, x).logDensity(u.get(l)));
        after = layer(l).G().at(u.get(l)).inverse(after).value();
      }
      Tensor logDet = logAbsDet(Tensors.jacobian(v -> g(v, u), w));
      return new Step(z, logR.sub(logQ).add(logDet), torch.cat(u, 1));
    }

    /** The noise of the layers as they are one by one; this one is the first. */
    private static Rng rngOf(int l, Rng first) {
      return ((CounterRng) first).layer(l);
    }

    private Tensor g(Tensor w, TensorVector u) {
      Tensor z = w;
      for (int l = 0; l < layers.size(); l++) {
        z = layer(l).G().at(u.get(l)).forward(z).value();
      }
      return z;
    }

    private CifLayer layer(int l) {
      return (CifLayer) layers.get(l);
    }

    @Override
    public Step backward(Tensor z, Observation x, Rng rng) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean indexed() {
      return true;
    }
  }

  private static Tensor logAbsDet(Tensor jacobian) {
    return torch.det(jacobian).abs().log();
  }

  private static Tensor logStandardNormal(Tensor z) {
    return NormalBase.create(new Parameters(BACKEND, 0), FEATURES, 1, false)
        .given(Observation.none(z.size(0)))
        .logDensity(z);
  }

  private static Tensor data() {
    return Tensors.normal(BACKEND, 9, ROWS, FEATURES);
  }

  private static CounterRng rng() {
    return new CounterRng(BACKEND, 11, Purpose.EVALUATE);
  }
}
