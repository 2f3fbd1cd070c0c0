package cifvi.posterior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.DiagonalNormal;
import cifvi.distribution.Observation;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.vi.Estimate;
import cifvi.vi.ForwardWeights;
import cifvi.vi.LogMeanExp;
import cifvi.vi.Model;
import cifvi.vi.Moments;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import java.util.Arrays;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bounds and estimators against closed forms, for posteriors and decoders that are Gaussian. */
@ExtendWith(NativeScope.class)
class LinearGaussianTest {
  /** Rounding of a few dozen float64 operations. */
  private static final double ROUNDING = 1e-10;

  /** A correct mean is further off than this many standard errors once in 16,000 times. */
  private static final double ERRORS = 4;

  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final Target NOTHING = (_, z) -> z.new_zeros(z.size(0));

  /** x|z ~ N(A z + b, s² I) in three dimensions. */
  private static final double[][] A = {{0.8, -0.3}, {0.2, 0.5}, {-0.4, 0.9}};

  private static final double[] B = {0.1, -0.2, 0.3};
  private static final double S = 0.9;
  private static final double[] DATA = {0.5, -1.0, 0.3, 1.2, 0.1, -0.8, -0.9, -0.4, 1.5};

  @Test
  void deltaIsMinusTheLogDensityWhenRIsExact() {
    var cif = LinearGaussianCif.exact(BACKEND);
    Posterior.Sample draw = cif.model(NOTHING).posterior().sample(Observation.none(500), rng());
    double[] logQ = cif.z().logDensities(draw.z());
    assertThat(Backend.doubles(draw.delta().neg())).containsExactly(logQ, within(ROUNDING));
  }

  @Test
  void everyPathBackGivesTheDensityWhenRIsExact() {
    var cif = LinearGaussianCif.exact(BACKEND);
    Tensor z = rng().normal(500, 2).mul(Scalars.of(2));
    double[] logQ = cif.z().logDensities(z);
    Posterior posterior = cif.model(NOTHING).posterior();
    for (int draw = 1; draw <= 3; draw++) {
      Tensor weights = posterior.logWeight(z, Observation.none(500), rng().step(draw));
      assertThat(Backend.doubles(weights)).containsExactly(logQ, within(ROUNDING));
    }
  }

  @Test
  void samplesHaveTheMomentsOfTheClosedForm() {
    var cif = LinearGaussianCif.wrong(BACKEND);
    Tensor z = cif.model(NOTHING).posterior().sample(Observation.none(50_000), rng()).z();
    for (int i = 0; i < 2; i++) {
      Tensor centred = z.select(1, i).sub(new Scalar(cif.z().mean(i)));
      assertMean(moments(Backend.doubles(centred)), 0);
      assertMean(moments(Backend.doubles(centred.mul(centred))), cif.z().covariance(i, i));
    }
  }

  /** Eq. 3: marginal ELBO = auxiliary ELBO + E KL(q(u|z) ‖ r(u|z)). */
  @Test
  void auxiliaryElboLosesExactlyTheKlOfR() {
    var cif = LinearGaussianCif.wrong(BACKEND);
    Posterior.Sample draw = cif.model(NOTHING).posterior().sample(Observation.none(50_000), rng());
    double[] logQ = cif.z().logDensities(draw.z());
    double[] delta = Backend.doubles(draw.delta());
    var difference = new Moments();
    for (int i = 0; i < logQ.length; i++) {
      difference.add(-logQ[i] - delta[i]);
    }
    assertThat(cif.gap()).isGreaterThan(0.1);
    assertMean(difference, cif.gap());
    assertThat(LinearGaussianCif.exact(BACKEND).gap()).isCloseTo(0, within(ROUNDING));
  }

  /** Eq. 20. */
  @Test
  void importanceSamplesOfAFlowGiveTheEvidence() {
    var kind = new Kind(Flow.NSF, Placement.PAPER, false, Precision.FLOAT64);
    assertEvidence(Posteriors.with(LinearGaussianTest::logJoint, Posteriors.flow(kind, 5)));
  }

  /** Eq. 21. */
  @ParameterizedTest
  @EnumSource
  void importanceSamplesOfACifGiveTheEvidence(Placement placement) {
    var kind = new Kind(Flow.NSF, placement, false, Precision.FLOAT64);
    assertEvidence(Posteriors.with(LinearGaussianTest::logJoint, Posteriors.cif(kind, 5)));
  }

  @Test
  void importanceSamplesOfTheGaussianCifGiveTheEvidence() {
    assertEvidence(LinearGaussianCif.wrong(BACKEND).model(LinearGaussianTest::logJoint));
  }

  @Test
  void importanceWeightedBoundsRiseTowardsTheEvidence() {
    Model model = LinearGaussianCif.wrong(BACKEND).model(LinearGaussianTest::logJoint);
    Observation x = data().slice(0, 1);
    double evidence = evidence()[0];
    Estimate last = new Estimate(Double.NEGATIVE_INFINITY, 0, 1);
    for (int k : new int[] {1, 3, 10, 40}) {
      Tensor bounds = new Objective.Iwae(k).value(model, x.repeat(40_000 / k), rng());
      Estimate bound = moments(Backend.doubles(bounds)).estimate();
      double error = Math.hypot(bound.standardError(), last.standardError());
      assertThat(bound.mean() - last.mean()).as("K = %d", k).isGreaterThan(ERRORS * error);
      assertThat(evidence - bound.mean()).isGreaterThan(ERRORS * bound.standardError());
      last = bound;
    }
    assertThat(evidence - last.mean()).isLessThan(0.1);
  }

  private static void assertEvidence(Model model) {
    var weights = new ForwardWeights(model, 5000, Progress.SILENT);
    double[] expected = evidence();
    LogMeanExp[] rows = weights.logLikelihoods(data(), 20_000, rng());
    double variance = 0;
    for (int i = 0; i < expected.length; i++) {
      Estimate row = rows[i].estimate();
      assertThat(row.standardError()).isLessThan(0.05);
      assertThat(row.mean()).isCloseTo(expected[i], within(ERRORS * row.standardError()));
      variance += row.standardError() * row.standardError();
    }
    Estimate mean = weights.logLikelihood(data(), 20_000, rng());
    double error = Math.sqrt(variance) / expected.length;
    assertThat(mean.mean())
        .isCloseTo(Arrays.stream(expected).average().orElseThrow(), within(ERRORS * error));
    assertThat(mean.count()).isEqualTo(expected.length);
  }

  /** log N(z; 0, I) + log N(x; A z + b, s² I). */
  private static Tensor logJoint(Observation x, Tensor z) {
    Tensor data = ((Observation.Batch) x).x();
    Tensor a = BACKEND.tensor(Arrays.stream(A).flatMapToDouble(Arrays::stream).toArray(), 3, 2);
    Tensor mean = z.matmul(a.t()).add(BACKEND.tensor(B, 3));
    Tensor zero = z.new_zeros(1, 2);
    return new DiagonalNormal(zero, zero)
        .logDensity(z)
        .add(new DiagonalNormal(mean, BACKEND.full(Math.log(S), 1, 3)).logDensity(data));
  }

  /** log N(x; b, A Aᵀ + s² I) of every row of the data. */
  private static double[] evidence() {
    double[][] covariance = new double[3][3];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        covariance[i][j] = A[i][0] * A[j][0] + A[i][1] * A[j][1] + (i == j ? S * S : 0);
      }
    }
    return new Gaussian(B, covariance).logDensities(BACKEND.tensor(DATA, 3, 3));
  }

  private static Observation data() {
    return Observation.of(BACKEND.tensor(DATA, 3, 3));
  }

  private static Moments moments(double[] values) {
    var moments = new Moments();
    Arrays.stream(values).forEach(moments::add);
    return moments;
  }

  private static void assertMean(Moments moments, double expected) {
    Estimate estimate = moments.estimate();
    assertThat(estimate.mean()).isCloseTo(expected, within(ERRORS * estimate.standardError()));
  }

  private static CounterRng rng() {
    return new CounterRng(BACKEND, 11, Purpose.EVALUATE);
  }
}
