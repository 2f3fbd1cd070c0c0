package cifvi.distribution;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.nn.ImageVectorNet;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Densities at points where they can be written down, and what the constructors refuse. */
@ExtendWith(NativeScope.class)
class ClosedFormTest {
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final double TOLERANCE = 1e-14;
  private static final double LOG_2PI = Math.log(2 * Math.PI);

  private final Parameters parameters = new Parameters(FLOAT64, 1);

  private static Tensor row(double... values) {
    return FLOAT64.tensor(values, 1, values.length);
  }

  @Test
  void normalDensity() {
    // two standard deviations of 3 from the mean in the first dimension, at the mean in the second
    var normal = new DiagonalNormal(row(1, -2), row(Math.log(3), Math.log(0.5)));
    double expected = -LOG_2PI - Math.log(3) - Math.log(0.5) - 2;
    assertThat(normal.logDensity(row(7, -2))).isCloseTo(FLOAT64.full(expected, 1), TOLERANCE);
  }

  @Test
  void oneRowServesABatch() {
    var normal = new DiagonalNormal(row(0, 0), row(0, 0));
    assertThat(normal.logDensity(FLOAT64.zeros(5, 2)))
        .isCloseTo(FLOAT64.full(-LOG_2PI, 5), TOLERANCE);
  }

  @Test
  void mixtureDensity() {
    Tensor weights = row(Math.log(0.25), Math.log(0.75));
    Tensor means = FLOAT64.tensor(new double[] {0, 4}, 1, 2, 1);
    var mixture = new NormalMixture(weights, means, FLOAT64.zeros(1, 2, 1));
    double expected = Math.log(0.25 * Math.exp(-0.5) + 0.75 * Math.exp(-4.5)) - 0.5 * LOG_2PI;
    assertThat(mixture.logDensity(row(1))).isCloseTo(FLOAT64.full(expected, 1), TOLERANCE);
  }

  @Test
  void densityOfAMixtureWithCorrelation() {
    // F⁻¹ (v - μ) is (0, 1) and (2, -1) for the first and the second component
    var mixture =
        new MixtureBase(
            FLOAT64.tensor(new double[] {Math.log(0.25), Math.log(0.75)}, 2),
            FLOAT64.tensor(new double[] {1, 0.5, -4, 2}, 2, 2),
            FLOAT64.tensor(new double[] {1, 0, 0.5, 0.5, 2, -1, 0, 1}, 2, 2, 2),
            FLOAT64.tensor(new double[] {1, 0, -1, 2, 0.5, 0.5, 0, 1}, 2, 2, 2),
            FLOAT64.tensor(new double[] {Math.log(0.5), Math.log(2)}, 2));
    Distribution one = mixture.given(Observation.none(1));
    double expected = Math.log(0.25 / 0.5 * Math.exp(-0.5) + 0.75 / 2 * Math.exp(-2.5)) - LOG_2PI;
    assertThat(one.logDensity(row(1, 1))).isCloseTo(FLOAT64.full(expected, 1), TOLERANCE);
    Draw draw = one.sample(new CounterRng(FLOAT64, 1, Purpose.SAMPLE));
    assertThat(draw.logDensity()).isCloseTo(one.logDensity(draw.value()), TOLERANCE);
  }

  @Test
  void bernoulliDensityOfImages() {
    // logit log 3: a one has probability 3/4
    Tensor logits = FLOAT64.full(Math.log(3), 2, 1, 4, 4);
    var coins = new Bernoulli(logits);
    assertThat(coins.logDensity(logits.new_ones(logits.shape())))
        .isCloseTo(FLOAT64.full(16 * Math.log(0.75), 2), TOLERANCE);
    assertThat(coins.logDensity(FLOAT64.zeros(2, 1, 4, 4)))
        .isCloseTo(FLOAT64.full(16 * Math.log(0.25), 2), TOLERANCE);
    assertThat(coins.sample(new CounterRng(FLOAT64, 1, Purpose.SAMPLE)).value())
        .hasShape(2, 1, 4, 4);
  }

  @Test
  void bernoulliDensityIsFiniteAtLargeLogits() {
    var coins = new Bernoulli(row(1e4, -1e4));
    assertThat(coins.logDensity(row(1, 0))).isAllZero();
    assertThat(coins.logDensity(row(0, 1))).isExactly(FLOAT64.full(-2e4, 1));
  }

  @Test
  void anOddNumberOfNetworkOutputsIsRefused() {
    var odd = new ConditionalNormal(new Mlp(parameters, 2, 5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> odd.given(row(1, 2), Observation.none(1)))
        .withMessageStartingWith("network: expected as many log-standard deviations as means")
        .withMessageEndingWith("5");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 14, 16})
  void aWrongNumberOfMixtureOutputsIsRefused(int outputs) {
    var network = ConditionalNetwork.of(new Mlp(parameters, 2, outputs));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new ConditionalNormalMixture(network, 3).given(row(1, 2), Observation.none(1)))
        .withMessage("network: expected 3 (1 + 2d) outputs, got " + outputs);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ConditionalNormalMixture(network, 0))
        .withMessage("components: expected at least 1, got 0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void aStandardDeviationMustBePositive(double sigma0) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NormalBase.create(parameters, 2, sigma0, false))
        .withMessage("sigma0: expected a positive number, got " + sigma0);
  }

  @Test
  void aFixedBaseHasNothingToTrain() {
    var base = NormalBase.create(parameters, 2, 0.1, false);
    assertThat(parameters.count()).isZero();
    assertThat(base.given(Observation.none(3)).logStd())
        .isCloseTo(FLOAT64.full(Math.log(0.1), 3, 2), TOLERANCE);
    NormalBase.create(parameters.in("learnt"), 2, 0.1, true);
    assertThat(parameters.names()).containsExactly("learnt.log_stddev");
  }

  @Test
  void whatNeedsDataSaysSo() {
    var encoded = new EncodedNormal(new Mlp(parameters, 2, 4));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoded.given(Observation.none(3)))
        .withMessage("x: expected a batch of data, got no observation");
    var joint = ConditionalNetwork.of(new ImageVectorNet(parameters.in("r"), 2, 1, 4));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> joint.apply(row(1, 2), Observation.none(1)))
        .withMessage("x: expected a batch of images, got no observation");
  }

  @Test
  void copiesOfOneObservationAreAdjacent() {
    var x = new Observation.Batch(FLOAT64.tensor(new double[] {1, 2, 3}, 3, 1));
    assertThat(x.repeat(2).x()).isExactly(FLOAT64.tensor(new double[] {1, 1, 2, 2, 3, 3}, 6, 1));
    assertThat(x.slice(1, 2).x()).isExactly(FLOAT64.tensor(new double[] {2, 3}, 2, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Observation.none(0))
        .withMessage("rows: expected at least 1, got 0");
  }
}
