package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.engine.eager.EagerEngine;
import cifvi.nn.FlatParameters;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Kind;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** r learnt alone: the bound and, in r, the gradient are those of the ELBO. */
@ExtendWith(NativeScope.class)
class AuxiliaryTest {
  private static final Objective R = new Objective.Auxiliary();
  private static final long ROWS = 50;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64);
  }

  private static CounterRng rng() {
    return new CounterRng(Backend.cpu(Precision.FLOAT64), 5, Purpose.TRAIN);
  }

  private static double[] gradient(Model model, Objective objective, Observation x) {
    try (var _ = new PointerScope()) {
      FlatParameters flat = model.parameters().flat();
      flat.gradient().zero_();
      objective.value(model, x, rng()).mean().backward();
      flat.maskGradient();
      return Backend.doubles(flat.gradient());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theBoundIsTheElbo(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, ROWS);
      assertThat(Backend.doubles(R.value(model, x, rng())))
          .containsExactly(
              Backend.doubles(new Objective.Elbo().value(model, x, rng())), within(1e-10));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theGradientIsThatOfR(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Posteriors.perturb(model, 0.1, 3);
      Observation x = Posteriors.observation(kind, ROWS);
      double[] total = gradient(model, new Objective.Elbo(), x);
      double[] alone = gradient(model, R, x);
      double most = 0;
      for (var entry : model.parameters().flat().slices().entrySet()) {
        int from = (int) entry.getValue().offset();
        for (int i = from; i < from + entry.getValue().count(); i++) {
          boolean r = entry.getKey().contains(".r.");
          assertThat(alone[i]).as(entry.getKey()).isCloseTo(r ? total[i] : 0, within(1e-9));
          most = Math.max(most, r ? Math.abs(alone[i]) : 0);
        }
      }
      assertThat(most).isGreaterThan(1e-3);
    }
  }

  /** Steps leave what has no gradient where it is, to the last digit, and the bound rises. */
  @ParameterizedTest
  @MethodSource("kinds")
  void stepsMoveRAlone(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, ROWS);
      FlatParameters flat = model.parameters().flat();
      double[] before = Backend.doubles(flat.values());
      double elbo = R.value(model, x, rng()).mean().item_double();
      try (var engine =
          EagerEngine.seeded(model, R, new StepOptions(OptionalDouble.empty(), 5, 1))) {
        for (int step = 0; step < 20; step++) {
          assertThat(engine.step(step, 1e-2, x).applied()).isTrue();
        }
      }
      double[] after = Backend.doubles(flat.values());
      for (var entry : flat.slices().entrySet()) {
        if (!entry.getKey().contains(".r.")) {
          int from = (int) entry.getValue().offset();
          for (int i = from; i < from + entry.getValue().count(); i++) {
            assertThat(after[i]).as(entry.getKey()).isEqualTo(before[i]);
          }
        }
      }
      assertThat(R.value(model, x, rng()).mean().item_double()).isGreaterThan(elbo);
      assertThat(Engines.choose("auto", model, R).kind()).isEqualTo(Engines.Kind.EAGER);
    }
  }
}
