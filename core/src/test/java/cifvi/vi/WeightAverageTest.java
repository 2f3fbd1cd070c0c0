package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.posterior.Posterior;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Averaged parameters, with statistics of batch norms that belong to them. */
@ExtendWith(NativeScope.class)
class WeightAverageTest {
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final Observation X = Observation.none(40);
  private static final CounterRng RNG = new CounterRng(FLOAT64, 3, Purpose.MEASURE);
  private static final double ROUNDING = 1e-11;

  private Model model;
  private WeightAverage average;

  /** Some steps, after which parameters, their average and all statistics differ. */
  @BeforeEach
  void train() {
    model = new Affine(5, 20, true).build(FLOAT64);
    average = new WeightAverage(model.parameters());
    var options = new StepOptions(OptionalDouble.empty(), 1, 1);
    try (var engine = EagerEngine.seeded(model, new Objective.Elbo(), options)) {
      for (int i = 0; i < 30; i++) {
        engine.step(i, 0.01, X);
        average.add(i);
      }
    }
  }

  @AfterEach
  void close() {
    average.close();
    model.close();
  }

  /** z and Δ of every row. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Numbers(double[] z, double[] delta) {}

  private Numbers sample(boolean training) {
    model.parameters().training(training);
    try {
      Posterior.Sample sample = model.posterior().sample(X, RNG);
      return new Numbers(Backend.doubles(sample.z()), Backend.doubles(sample.delta()));
    } finally {
      model.parameters().training(false);
    }
  }

  private Numbers averaged(boolean training) {
    return average.during(() -> sample(training));
  }

  /** The batch that was measured is normalised as in training, at every depth. */
  @Test
  void statisticsAreThoseOfTheAveragedParameters() {
    Numbers expected = averaged(true);
    assertThat(distance(averaged(false), expected)).isGreaterThan(1e-3);
    average.measure(model, X, RNG);
    Numbers actual = averaged(false);
    assertThat(actual.z).containsExactly(expected.z, within(ROUNDING));
    assertThat(actual.delta).containsExactly(expected.delta, within(ROUNDING));
  }

  private static double distance(Numbers a, Numbers b) {
    double largest = 0;
    for (int i = 0; i < a.z.length; i++) {
      largest = Math.max(largest, Math.abs(a.z[i] - b.z[i]));
    }
    return largest;
  }

  @Test
  void theModelKeepsItsOwn() {
    List<double[]> before = numbers();
    average.measure(model, X, RNG);
    assertThat(distance(sample(false), averaged(false))).isGreaterThan(1e-3);
    List<double[]> after = numbers();
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i)).containsExactly(before.get(i));
    }
  }

  private List<double[]> numbers() {
    return model.parameters().state().values().stream().map(Backend::doubles).toList();
  }

  @Test
  void appliedItIsTheModel() {
    average.measure(model, X, RNG);
    Numbers expected = averaged(false);
    average.apply();
    assertThat(distance(sample(false), expected)).isZero();
  }

  @Test
  void restartedItHasTheStatisticsOfTheModel() {
    average.restart();
    assertThat(distance(averaged(false), sample(false))).isZero();
  }
}
