package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.nn.FlatParameters;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Size;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Path gradients: the same bound and, on the average, the same gradient, without the score. */
@ExtendWith(NativeScope.class)
class PathElboTest {
  private static final Objective TOTAL = new Objective.Elbo();
  private static final Objective PATH = new Objective.PathElbo();
  private static final int BATCHES = 200;
  private static final long ROWS = 50;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64).filter(kind -> !kind.amortised());
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
    try (var _ = new PointerScope()) {
      FlatParameters flat = model.parameters().flat();
      flat.gradient().zero_();
      objective.value(model, Observation.none(rows), rng(step)).mean().backward();
      flat.maskGradient();
      return Backend.doubles(flat.gradient());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theBoundIsTheSame(Kind kind) {
    try (Model model = twoLayers(kind)) {
      var x = Observation.none(ROWS);
      assertThat(Backend.doubles(PATH.value(model, x, rng(0))))
          .containsExactly(Backend.doubles(TOTAL.value(model, x, rng(0))), within(1e-10));
    }
  }

  /** Their difference is the score, whose mean is 0: within five standard errors of 200 batches. */
  @ParameterizedTest
  @MethodSource("kinds")
  void theMeanOfTheGradientIsTheSame(Kind kind) {
    try (Model model = twoLayers(kind)) {
      int n = (int) model.parameters().flat().size();
      var differences = new Moments[n];
      for (int i = 0; i < n; i++) {
        differences[i] = new Moments();
      }
      for (int batch = 0; batch < BATCHES; batch++) {
        double[] total = gradient(model, TOTAL, ROWS, batch);
        double[] path = gradient(model, PATH, ROWS, batch);
        for (int i = 0; i < n; i++) {
          differences[i].add(total[i] - path[i]);
        }
      }
      int differing = 0;
      for (Moments difference : differences) {
        Estimate score = difference.estimate();
        assertThat(Math.abs(score.mean())).isLessThanOrEqualTo(5 * score.standardError() + 1e-12);
        differing += score.standardError() > 1e-6 ? 1 : 0;
      }
      assertThat(differing).isGreaterThan(n / 10);
    }
  }

  /** q(z, u) = p(z) r(u|z): every single draw has no gradient in q, while the total one does. */
  @ParameterizedTest
  @MethodSource("kinds")
  void anExactFitHasNoNoise(Kind kind) {
    try (Model flow = Posteriors.flow(kind, 1)) {
      Posteriors.perturb(flow, 0.1, 3);
      try (Model neutral = Posteriors.neutral(kind, flow)) {
        Model exact = Posteriors.with((x, z) -> flow.posterior().logWeight(z, x, rng(99)), neutral);
        FlatParameters flat = exact.parameters().flat();
        double[] total = gradient(exact, TOTAL, 1, 0);
        double[] path = gradient(exact, PATH, 1, 0);
        double most = 0;
        for (var entry : flat.slices().entrySet()) {
          int from = (int) entry.getValue().offset();
          for (int i = from; i < from + entry.getValue().count(); i++) {
            if (!entry.getKey().contains(".r.")) {
              assertThat(path[i]).as(entry.getKey()).isCloseTo(0, within(1e-9));
              most = Math.max(most, Math.abs(total[i]));
            }
          }
        }
        assertThat(most).isGreaterThan(0.1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void autogradRunsThem(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      assertThat(Engines.choose("auto", model, PATH).kind()).isEqualTo(Engines.Kind.EAGER);
    }
    var float32 = new Kind(kind.flow(), kind.placement(), false, Precision.FLOAT32);
    try (Model model = Posteriors.cif(float32, 1)) {
      Engines.Choice choice = Engines.choose("auto", model, PATH);
      assertThat(choice.kind()).isEqualTo(Engines.Kind.EAGER);
      if (Engines.vectorBits().orElse(0) >= 256) {
        assertThat(choice.reason()).contains("path gradients go back through the layers");
      }
    }
  }
}
