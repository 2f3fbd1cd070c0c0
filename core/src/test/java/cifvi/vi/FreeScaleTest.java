package cifvi.vi;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Flip;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.nn.Parameters;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dividing the scale before batch norms out changes no function, only numbers inside. */
@ExtendWith(NativeScope.class)
class FreeScaleTest {
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final int D = 3;

  /** What ε is beside variances of 1 and more. */
  private static final double TOLERANCE = 3e-5;

  private final Parameters parameters = new Parameters(FLOAT64, 7);
  private final NormalBase base = NormalBase.create(parameters.in("base"), D, 5.0, true);
  private final AffineAutoregressive first = new AffineAutoregressive(parameters.in("first"), D, 8);
  private final AffineAutoregressive second =
      new AffineAutoregressive(parameters.in("second"), D, 8);
  private final BatchNorm flipped = new BatchNorm(parameters.in("flipped"), D);
  private final BatchNorm straight = new BatchNorm(parameters.in("straight"), D);
  private final Model model = model(first, new Flip(), flipped, second, straight);

  private Model model(Bijection... bijections) {
    List<Layer> layers = Arrays.stream(bijections).map(g -> (Layer) new FlowLayer(g)).toList();
    Target normal = (_, z) -> z.square().sum(1).mul(Scalars.of(-0.5));
    return new Model(new Posterior(base, layers), normal, parameters);
  }

  /** Some steps, so that running averages and scales are those of a model in training. */
  private void train() {
    try (var engine =
        EagerEngine.seeded(
            model, new Objective.Elbo(), new StepOptions(OptionalDouble.empty(), 1, 1))) {
      new Trainer(engine, Schedule.constant(0.01)).run(60, Observation.none(50), _ -> true);
    }
  }

  private Posterior.Sample sample() {
    var rng = new CounterRng(FLOAT64, 3, Purpose.EVALUATE);
    return model.posterior().sample(Observation.none(40), rng);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noFunctionChanges(boolean training) {
    train();
    parameters.training(training);
    Posterior.Sample before = sample();
    FreeScale.divideOut(model);
    Posterior.Sample after = sample();
    assertThat(after.z()).isCloseTo(before.z(), TOLERANCE);
    assertThat(after.delta()).isCloseTo(before.delta(), TOLERANCE);
  }

  @Test
  void everyRunningVarianceBeforeWhichAMapStandsBecomesOne() {
    train();
    assertThat(FreeScale.largestVariance(model).orElseThrow()).isGreaterThan(2);
    FreeScale.divideOut(model);
    for (BatchNorm norm : List.of(flipped, straight)) {
      assertThat(norm.runningVariance()).isCloseTo(FLOAT64.full(1, D), 1e-12);
    }
    assertThat(FreeScale.largestVariance(model).orElseThrow()).isCloseTo(1, within(1e-12));
  }

  /** Its variance is that of the base, which has a scale of its own. */
  @Test
  void aBatchNormBehindNoMapKeepsItsVariance() {
    Model bare = model(straight, first);
    Tensor variance = straight.runningVariance().fill_(Scalars.of(9));
    FreeScale.divideOut(bare);
    assertThat(variance).isCloseTo(FLOAT64.full(9, D), 0);
  }

  @Test
  void aModelWithoutBatchNormHasNoVariance() {
    assertThat(FreeScale.largestVariance(model(first))).isEmpty();
  }
}
