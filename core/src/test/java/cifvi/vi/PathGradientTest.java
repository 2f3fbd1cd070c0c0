package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.nn.FlatParameters;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.posterior.Posteriors.Size;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.Objects;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Path gradients and doubly reparametrised ones: the same bound and, on the average, the same
 * gradient, without the score.
 */
@ExtendWith(NativeScope.class)
class PathGradientTest {
  private static final Objective TOTAL = new Objective.Elbo();
  private static final Objective PATH = new Objective.PathElbo();
  private static final int K = 4;
  private static final Objective IWAE = new Objective.Iwae(K);
  private static final Objective DREG = new Objective.Dreg(K);
  private static final int BATCHES = 200;
  private static final int DRAWS = 48;

  /** As many standard errors as no mean of 200 batches is away from what it estimates. */
  private static final double ERRORS = 5;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64).filter(kind -> !kind.amortised());
  }

  static Stream<Arguments> pairs() {
    Stream<Arguments> one = kinds().map(kind -> Arguments.of(kind, TOTAL, PATH));
    return Stream.concat(
        one,
        kinds()
            .filter(kind -> (kind.flow() == Flow.NSF) == (kind.placement() == Placement.PAPER))
            .map(kind -> Arguments.of(kind, IWAE, DREG)));
  }

  private static Model twoLayers(Kind kind) {
    Model model = Posteriors.cif(kind, new Size(2, 8), 1);
    Posteriors.perturb(model, 0.1, 3);
    return model;
  }

  private static CounterRng rng(long step) {
    return new CounterRng(Backend.cpu(Precision.FLOAT64), 5, Purpose.TRAIN).step(step);
  }

  private static double[] gradient(Model model, Objective objective, long rows, long step) {
    return gradient(model, objective::value, rows, step);
  }

  private static double[] gradient(Model model, Estimator objective, long rows, long step) {
    try (var _ = new PointerScope()) {
      FlatParameters flat = model.parameters().flat();
      flat.gradient().zero_();
      objective.value(model, Observation.none(rows), rng(step)).mean().backward();
      flat.maskGradient();
      return Backend.doubles(flat.gradient());
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theBoundIsTheSame(Kind kind, Objective total, Objective path) {
    try (Model model = twoLayers(kind)) {
      var x = Observation.none(DRAWS);
      assertThat(Backend.doubles(path.value(model, x, rng(0))))
          .containsExactly(Backend.doubles(total.value(model, x, rng(0))), within(1e-10));
    }
  }

  /** Their difference is the score, whose mean is 0. */
  @ParameterizedTest
  @MethodSource("pairs")
  void theMeanOfTheGradientIsTheSame(Kind kind, Objective total, Objective path) {
    try (Model model = twoLayers(kind)) {
      Moments[] differences = differences(model, total::value, path::value, DRAWS / total.draws());
      int differing = 0;
      for (Moments difference : differences) {
        Estimate score = difference.estimate();
        assertThat(Math.abs(score.mean()))
            .isLessThanOrEqualTo(ERRORS * score.standardError() + 1e-12);
        differing += score.standardError() > 1e-6 ? 1 : 0;
      }
      assertThat(differing).isGreaterThan(differences.length / 10);
    }
  }

  /** A bound whose gradient is taken. */
  private interface Estimator {
    Tensor value(Model model, Observation x, CounterRng rng);
  }

  /**
   * What the test above says of estimators that are wrong in q: one that takes r(u|w) for a
   * constant at fixed (z, u), though w follows from z through later layers, and one that does not
   * square the weights of the path.
   */
  @Test
  void wrongEstimatorsHaveOtherMeans() {
    var kind = new Kind(Flow.MAF, Placement.PAPER, false, Precision.FLOAT64);
    try (Model model = twoLayers(kind)) {
      Posteriors.perturb(model, 0.5, 4); // an r that depends on w
      Estimator withoutR =
          (m, x, rng) -> {
            var trace = m.posterior().trace(x, rng);
            var held = m.posterior().logDensities(trace, x);
            Tensor dropped = held.logQ().sub(Objects.requireNonNull(held.logR()));
            return TOTAL.value(m, x, rng).add(dropped.sub(dropped.detach()));
          };
      assertThat(mostErrors(model, differences(model, TOTAL::value, withoutR, DRAWS)))
          .isGreaterThan(2 * ERRORS);
      Estimator notSquared =
          (m, x, rng) -> {
            Observation repeated = x.repeat(K);
            Tensor l = PATH.value(m, repeated, rng).view(-1, K);
            return torch.softmax(l.detach(), 1).mul(l).sum(1);
          };
      assertThat(mostErrors(model, differences(model, IWAE::value, notSquared, DRAWS / K)))
          .isGreaterThan(2 * ERRORS);
    }
  }

  /** Of the parameters of q. */
  private static double mostErrors(Model model, Moments[] differences) {
    double most = 0;
    for (var entry : model.parameters().flat().slices().entrySet()) {
      int from = (int) entry.getValue().offset();
      for (int i = from; i < from + entry.getValue().count(); i++) {
        Estimate difference = differences[i].estimate();
        if (!entry.getKey().contains(".r.") && difference.standardError() > 1e-9) {
          most = Math.max(most, Math.abs(difference.mean()) / difference.standardError());
        }
      }
    }
    return most;
  }

  /** In every parameter, on the same draws. */
  private static Moments[] differences(Model model, Estimator total, Estimator path, long rows) {
    var differences = new Moments[(int) model.parameters().flat().size()];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = new Moments();
    }
    for (int batch = 0; batch < BATCHES; batch++) {
      double[] a = gradient(model, total, rows, batch);
      double[] b = gradient(model, path, rows, batch);
      for (int i = 0; i < differences.length; i++) {
        differences[i].add(a[i] - b[i]);
      }
    }
    return differences;
  }

  /** q(z, u) = p(z) r(u|z): every single draw has no gradient in q, while the total one does. */
  @ParameterizedTest
  @MethodSource("pairs")
  void anExactFitHasNoNoise(Kind kind, Objective total, Objective path) {
    try (Model flow = Posteriors.flow(kind, 1)) {
      Posteriors.perturb(flow, 0.1, 3);
      try (Model neutral = Posteriors.neutral(kind, flow)) {
        Model exact = Posteriors.with((x, z) -> flow.posterior().logWeight(z, x, rng(99)), neutral);
        FlatParameters flat = exact.parameters().flat();
        double[] noisy = gradient(exact, total, 1, 0);
        double[] none = gradient(exact, path, 1, 0);
        double most = 0;
        for (var entry : flat.slices().entrySet()) {
          int from = (int) entry.getValue().offset();
          for (int i = from; i < from + entry.getValue().count(); i++) {
            if (!entry.getKey().contains(".r.")) {
              assertThat(none[i]).as(entry.getKey()).isCloseTo(0, within(1e-9));
              most = Math.max(most, Math.abs(noisy[i]));
            }
          }
        }
        assertThat(most).isGreaterThan(0.1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void withOneDrawTheyAreTheSame(Kind kind) {
    try (Model model = twoLayers(kind)) {
      assertThat(gradient(model, new Objective.Dreg(1), DRAWS, 0))
          .containsExactly(gradient(model, PATH, DRAWS, 0), within(1e-10));
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void autogradRunsThem(Kind kind, Objective total, Objective path) {
    try (Model model = Posteriors.cif(kind, 1)) {
      assertThat(Engines.choose("auto", model, path).kind()).isEqualTo(Engines.Kind.EAGER);
    }
    var float32 = new Kind(kind.flow(), kind.placement(), false, Precision.FLOAT32);
    try (Model model = Posteriors.cif(float32, 1)) {
      Engines.Choice choice = Engines.choose("auto", model, path);
      assertThat(choice.kind()).isEqualTo(Engines.Kind.EAGER);
      if (Engines.vectorBits().orElse(0) >= 256) {
        assertThat(choice.reason()).contains("path gradients go back through the layers");
        assertThat(Engines.choose("auto", model, total).kind()).isEqualTo(Engines.Kind.FUSED);
      }
    }
  }
}
