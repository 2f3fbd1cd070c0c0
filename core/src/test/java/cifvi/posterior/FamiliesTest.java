package cifvi.posterior;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.nn.Network;
import cifvi.nn.Parameters;
import cifvi.target.HostTarget;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.vi.LogMeanExp;
import cifvi.vi.MarginalElbo;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The families of section 3.2 against closed forms, where everything is Gaussian. */
@ExtendWith(NativeScope.class)
class FamiliesTest {
  /** Rounding of a few dozen float64 operations. */
  private static final double ROUNDING = 1e-10;

  /** A correct mean is further off than this many standard errors once in 16,000 times. */
  private static final double ERRORS = 4;

  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final Target NOTHING = (_, z) -> z.new_zeros(z.size(0));
  private static final long ROWS = 200;

  /** z = A u + E + τ ε in the plane, u ~ N(0, 1). */
  private static final double[] A = {0.8, -0.5};

  private static final double[] E = {0.3, -0.2};
  private static final double TAU = 0.6;
  private static final Gaussian Z =
      new Gaussian(
          E,
          new double[][] {
            {A[0] * A[0] + TAU * TAU, A[0] * A[1]}, {A[0] * A[1], A[1] * A[1] + TAU * TAU}
          });

  /** log p = -½ Σ c_i z_i², along which a leapfrog step is linear. */
  private static final double[] C = {1.3, 0.4};

  private static final double[] SIGMA = {1.5, 1.5};
  private static final double[] V = {0.7, 1.2};
  private static final double[] STEPS = {0.3, 0.5};
  private static final int LEAPS = 3;

  static Stream<Arguments> exact() {
    var hamiltonian = hamiltonian(1);
    return Stream.of(
        Arguments.of("hierarchical", hierarchical(1), Z),
        Arguments.of("Hamiltonian", hamiltonian, leapt()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("exact")
  void withAnExactRDeltaIsMinusTheLogDensity(String name, Model model, Gaussian q) {
    var x = Observation.none(ROWS);
    Posterior.Sample draw = model.posterior().sample(x, rng(0));
    double[] logQ = q.logDensities(draw.z());
    assertThat(Backend.doubles(draw.delta().neg())).containsExactly(logQ, within(ROUNDING));
    Tensor back = model.posterior().logWeight(draw.z(), x, rng(1));
    assertThat(Backend.doubles(back)).containsExactly(logQ, within(ROUNDING));
  }

  static Stream<Arguments> inexact() {
    return Stream.of(
        Arguments.of("hierarchical", hierarchical(1.2), Z),
        Arguments.of("Hamiltonian", hamiltonian(1.2), leapt()),
        Arguments.of("semi-implicit, K = 0", semiImplicit(0), Z),
        Arguments.of("semi-implicit, K = 3", semiImplicit(3), Z));
  }

  /** Eqs. 15 and 22: whatever r is, paths back average to q(z). */
  @ParameterizedTest(name = "{0}")
  @MethodSource("inexact")
  void pathsBackAverageToTheDensity(String name, Model model, Gaussian q) {
    Tensor z = BACKEND.tensor(new double[] {0.9, -0.4}, 1, 2);
    long paths = 20_000;
    Tensor weights =
        model.posterior().logWeight(z.expand(paths, 2), Observation.none(paths), rng(1));
    var mean = new LogMeanExp();
    for (double weight : Backend.doubles(weights)) {
      mean.add(weight);
    }
    var estimate = mean.estimate();
    assertThat(estimate.standardError()).isBetween(1e-4, 0.02);
    assertThat(estimate.mean())
        .isCloseTo(q.logDensities(z)[0], within(ERRORS * estimate.standardError()));
  }

  /** E[-log q(z)], known, between the two estimates, which auxiliary bounds lie below. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("inexact")
  void theMarginalElboIsBracketed(String name, Model model, Gaussian q) {
    var bracket =
        new MarginalElbo(model, 10_000, Progress.SILENT)
            .estimate(Observation.none(4000), 40, rng(2), rng(3));
    double entropy =
        1 + Math.log(2 * Math.PI) + 0.5 * Math.log(determinant(q)); // d/2 (1 + log 2π) + ½ log|Σ|
    double error = ERRORS * bracket.upper().standardError();
    assertThat(bracket.auxiliary().mean()).isLessThan(bracket.lower().mean() - 0.01);
    assertThat(bracket.lower().mean()).isLessThan(entropy + error);
    assertThat(bracket.upper().mean()).isGreaterThan(entropy - error);
    assertThat(bracket.upper().mean() - bracket.lower().mean()).isBetween(0.0, 0.1);
  }

  /** r chooses in proportion to q(z|ε_k): with many of them, what it draws is u given z. */
  @Test
  void theSemiImplicitWayBackDrawsFromThePosteriorOfTheNoise() {
    Tensor z = BACKEND.tensor(new double[] {0.9, -0.4}, 1, 2).expand(4000, 2);
    var layer = semiImplicit(300).posterior().layers().getFirst();
    Tensor w = layer.backward(z, Observation.none(4000), rng(4)).w();
    double variance = 1 / (1 + (A[0] * A[0] + A[1] * A[1]) / (TAU * TAU));
    double mean = variance * (A[0] * (0.9 - E[0]) + A[1] * (-0.4 - E[1])) / (TAU * TAU);
    double error = Math.sqrt(variance / 4000);
    assertThat(w.mean().item_double()).isCloseTo(mean, within(ERRORS * error + 1.0 / 300));
    assertThat(w.var().item_double()).isCloseTo(variance, within(0.1 * variance));
  }

  static Stream<Model> trained() {
    var target = MixtureTarget.paper(BACKEND, 9);
    var hierarchical = new Parameters(BACKEND, 1);
    var hamiltonian = new Parameters(BACKEND, 2);
    return Stream.of(
        new Model(
            new Posterior(
                NormalBase.create(hierarchical.in("base"), 3, 1, false),
                List.of(
                    HierarchicalLayer.gaussian(hierarchical.in("0"), 3, 4, 8),
                    HierarchicalLayer.gaussian(hierarchical.in("1"), 4, 2, 8))),
            target,
            hierarchical),
        new Model(
            new Posterior(
                NormalBase.create(hamiltonian.in("base"), 2, 1, false),
                List.of(
                    HamiltonianLayer.gaussian(hamiltonian.in("0"), target, 2, 8, 3, 0.1),
                    HamiltonianLayer.gaussian(hamiltonian.in("1"), target, 2, 8, 1, 0.2))),
            target,
            hamiltonian));
  }

  /** log q(z, u) found on the way back is what the draw was made with. */
  @ParameterizedTest
  @MethodSource("trained")
  void theWayBackWithTheSameUEndsWhereItBegan(Model model) {
    var x = Observation.none(20);
    List<Step> trace = model.posterior().trace(x, rng(0));
    Tensor w = trace.getLast().w();
    Tensor logR = BACKEND.zeros(20);
    Tensor delta = trace.getFirst().logWeight();
    for (int i = model.posterior().layers().size() - 1; i >= 0; i--) {
      Step step = trace.get(i + 1);
      Tensor u = Objects.requireNonNull(step.u());
      logR = logR.add(r(model.posterior().layers().get(i)).given(step.w(), x).logDensity(u));
      delta = delta.add(step.logWeight());
      w = model.posterior().layers().get(i).inverse(w, u, x).w();
    }
    assertThat(w).isCloseTo(trace.getFirst().w(), ROUNDING);
    assertThat(model.posterior().logDensity(trace, x)).isCloseTo(logR.sub(delta), ROUNDING);
  }

  /** Through the second derivatives of the target. */
  @Test
  void stepSizesHaveTheGradientOfTheBound() {
    Model model = trained().toList().getLast();
    var flat = model.parameters().flat();
    var x = Observation.none(50);
    new Objective.Elbo().value(model, x, rng(0)).mean().backward();
    double[] gradient = Backend.doubles(flat.gradient());
    int at =
        (int) flat.offset(((HamiltonianLayer) model.posterior().layers().getFirst()).logSteps());
    double h = 1e-5;
    double above = bound(model, at, h, x);
    double below = bound(model, at, -2 * h, x);
    assertThat(gradient[at]).isNotZero().isCloseTo((above - below) / (2 * h), within(1e-5));
  }

  private static double bound(Model model, int at, double move, Observation x) {
    var flat = model.parameters().flat();
    flat.update(() -> flat.values().narrow(0, at, 1).add_(Scalars.of(move)));
    return new Objective.Elbo().value(model, x, rng(0)).mean().item_double();
  }

  @Test
  void dynamicsOfADensityInPlainNumbersAreRefused() {
    var host = new HostTarget(BACKEND, (_, _, _) -> {});
    var parameters = new Parameters(BACKEND, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HamiltonianLayer.gaussian(parameters, host, 2, 8, 1, 0.1))
        .withMessageContaining("HostTarget gives no second derivatives")
        .withMessageContaining("or choose another family");
  }

  private static Conditional r(Layer layer) {
    return switch (layer) {
      case HierarchicalLayer h -> h.r();
      case HamiltonianLayer h -> h.r();
      default -> throw new IllegalArgumentException(layer.toString());
    };
  }

  /** r(u|z) is exact but for its standard deviation. */
  private static Model hierarchical(double stdFactor) {
    double variance = 1 / (1 + (A[0] * A[0] + A[1] * A[1]) / (TAU * TAU));
    double k0 = variance * A[0] / (TAU * TAU);
    double k1 = variance * A[1] / (TAU * TAU);
    double logStd = 0.5 * Math.log(variance) + Math.log(stdFactor);
    var r = normal(new double[] {k0, 0, k1, 0}, -k0 * E[0] - k1 * E[1], logStd);
    return model(1, 1, new HierarchicalLayer(zGivenU(), r));
  }

  private static Model semiImplicit(int extra) {
    return model(1, 1, new SemiImplicitLayer(zGivenU(), 1, 2, extra));
  }

  private static ConditionalNormal zGivenU() {
    return normal(new double[] {A[0], A[1], 0, 0}, E[0], E[1], Math.log(TAU), Math.log(TAU));
  }

  private static Model hamiltonian(double stdFactor) {
    double[] logSteps = {Math.log(STEPS[0]), Math.log(STEPS[1])};
    double[] slopes =
        new double[8]; // from z to the means of u, then to its log-standard deviations
    double[] bias = new double[4];
    for (int i = 0; i < 2; i++) {
      double[][] s = covariance(i);
      slopes[4 * i + i] = s[0][1] / s[0][0];
      bias[2 + i] = 0.5 * Math.log(s[1][1] - s[0][1] * s[0][1] / s[0][0]) + Math.log(stdFactor);
    }
    var q = normal(new double[8], 0, 0, Math.log(V[0]), Math.log(V[1]));
    Tensor c = BACKEND.tensor(C, 2);
    Target target = (_, z) -> z.mul(z).mul(c).sum(1).mul(Scalars.of(-0.5));
    var layer =
        new HamiltonianLayer(target, BACKEND.tensor(logSteps, 2), LEAPS, q, normal(slopes, bias));
    return model(2, SIGMA[0], layer);
  }

  private static Gaussian leapt() {
    return new Gaussian(
        new double[2], new double[][] {{covariance(0)[0][0], 0}, {0, covariance(1)[0][0]}});
  }

  /** Of (z_i, u_i), after leapfrog steps as written in textbooks, each a kick, a move, a kick. */
  private static double[][] covariance(int i) {
    double[] ofW = leap(i, SIGMA[i], 0);
    double[] ofV = leap(i, 0, V[i]);
    double[][] covariance = new double[2][2];
    for (int a = 0; a < 2; a++) {
      for (int b = 0; b < 2; b++) {
        covariance[a][b] = ofW[a] * ofW[b] + ofV[a] * ofV[b];
      }
    }
    return covariance;
  }

  private static double[] leap(int i, double w, double v) {
    double[] phase = {w, v};
    for (int leap = 0; leap < LEAPS; leap++) {
      phase[1] -= STEPS[i] / 2 * C[i] * phase[0];
      phase[0] += STEPS[i] * phase[1];
      phase[1] -= STEPS[i] / 2 * C[i] * phase[0];
    }
    return phase;
  }

  private static double determinant(Gaussian q) {
    return q.covariance(0, 0) * q.covariance(1, 1) - q.covariance(0, 1) * q.covariance(1, 0);
  }

  private static Model model(int index, double sigma0, Layer layer) {
    var parameters = new Parameters(BACKEND, 0);
    var base = NormalBase.create(parameters, index, sigma0, false);
    return new Model(new Posterior(base, List.of(layer)), NOTHING, parameters);
  }

  /** v to v W + bias, W given row-major: means, then log-standard deviations. */
  private static ConditionalNormal normal(double[] weights, double... bias) {
    Tensor w = BACKEND.tensor(weights, weights.length / bias.length, bias.length);
    Tensor b = BACKEND.tensor(bias, bias.length);
    Network linear = v -> v.matmul(w).add(b);
    return new ConditionalNormal(linear);
  }

  private static CounterRng rng(long step) {
    return new CounterRng(BACKEND, 11, Purpose.EVALUATE).step(step);
  }
}
