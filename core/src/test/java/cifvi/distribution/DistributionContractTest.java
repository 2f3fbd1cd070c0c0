package cifvi.distribution;

import static cifvi.distribution.DistributionCases.ROWS;
import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.DistributionCases.Case;
import cifvi.distribution.DistributionCases.Rows;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every distribution promises, checked for each of them in both precisions. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("cases")
@ExtendWith(NativeScope.class)
class DistributionContractTest {
  private static final long DRAWS = 40_000;

  /** A correct sampler misses this many standard errors once in 1.7 million. */
  private static final double STANDARD_ERRORS = 5;

  private final Case distribution;
  private final Precision precision;
  private Parameters parameters;
  private Rows rows;
  private CounterRng rng;

  DistributionContractTest(Case distribution, Precision precision) {
    this.distribution = distribution;
    this.precision = precision;
  }

  static List<Arguments> cases() {
    return DistributionCases.all().stream()
        .flatMap(c -> Arrays.stream(Precision.values()).map(p -> Arguments.of(c, p)))
        .toList();
  }

  @BeforeEach
  void create() {
    var backend = Backend.cpu(precision);
    parameters = new Parameters(backend, 11);
    rows = distribution.create(parameters);
    rng = new CounterRng(backend, 12, Purpose.SAMPLE);
  }

  /** Some hundred roundings. */
  private double tolerance() {
    return precision == Precision.FLOAT64 ? 1e-13 : 2e-5;
  }

  @Test
  void theDensityOfADrawIsTheDensityAtItsValue() {
    Distribution all = rows.at(each());
    Draw draw = all.sample(rng);
    assertThat(draw.value()).hasShape(ROWS, distribution.features()).hasPrecision(precision);
    assertThat(draw.logDensity()).hasShape(ROWS).hasPrecision(precision);
    assertThat(draw.logDensity()).isExactly(all.logDensity(draw.value()));
  }

  @Test
  void drawingTwiceGivesTheSameDraw() {
    Distribution all = rows.at(each());
    assertThat(all.sample(rng).value()).isExactly(all.sample(rng).value());
  }

  @Test
  void aBatchIsALoopOverItsRows() {
    Draw batch = rows.at(each()).sample(rng);
    for (long row = 0; row < ROWS; row++) {
      Draw single = rows.at(each().narrow(0, row, 1)).sample(rng.fromRow(row));
      assertThat(single.value()).isCloseTo(batch.value().narrow(0, row, 1), tolerance());
      assertThat(single.logDensity()).isCloseTo(batch.logDensity().narrow(0, row, 1), tolerance());
    }
  }

  @Test
  void theDensityIntegratesToOne() {
    for (long row = 0; row < 2; row++) {
      double total = Arrays.stream(probabilities(grid(), row)).sum();
      double exact = precision == Precision.FLOAT64 ? 1e-12 : 1e-5;
      assertThat(total).isCloseTo(1, within(distribution.smooth() ? exact : 5e-3));
    }
  }

  @Test
  void drawsHaveTheMomentsOfTheDensity() {
    Grid grid = grid();
    double[] p = probabilities(grid, 1);
    Tensor draws = rows.at(copies(1, DRAWS)).sample(rng).value();
    for (int i = 0; i < distribution.features(); i++) {
      assertSameMean(draws.select(1, i), grid.points().select(1, i), p);
      for (int j = 0; j <= i; j++) {
        assertSameMean(product(draws, i, j), product(grid.points(), i, j), p);
      }
    }
  }

  /** The mean of a function over draws against its expectation, by the central limit theorem. */
  private static void assertSameMean(Tensor drawn, Tensor onGrid, double[] p) {
    double[] f = Backend.doubles(onGrid);
    double mean = 0;
    double square = 0;
    for (int i = 0; i < p.length; i++) {
      mean += p[i] * f[i];
      square += p[i] * f[i] * f[i];
    }
    double standardError = Math.sqrt((square - mean * mean) / DRAWS);
    double sampleMean = Arrays.stream(Backend.doubles(drawn)).average().orElseThrow();
    assertThat(sampleMean).isCloseTo(mean, within(STANDARD_ERRORS * standardError));
  }

  @Test
  void aGradientOfTheDensityReachesEveryParameter() {
    Distribution all = rows.at(each());
    all.logDensity(all.sample(rng).value().detach()).sum().backward();
    assertGradientEverywhere();
  }

  @Test
  void aGradientFlowsThroughTheDrawWhereItCan() {
    Tensor value = rows.at(each()).sample(rng).value();
    assertThat(value.requires_grad()).isEqualTo(distribution.reparametrised());
    if (distribution.reparametrised()) {
      value.mul(value).sum().backward();
      assertGradientEverywhere();
    }
  }

  private void assertGradientEverywhere() {
    for (String name : parameters.names()) {
      assertThat(Tensors.usedGradient(parameters, name)).as(name).isFinite().hasNoZero();
    }
  }

  @Test
  void aWrongShapeIsNamed() {
    Distribution all = rows.at(each());
    int d = distribution.features();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> all.logDensity(parameters.backend().zeros(ROWS, d + 1)))
        .withMessage("v: expected [7, %d], got [7, %d]".formatted(d, d + 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> all.logDensity(parameters.backend().zeros(5, d)))
        .withMessage("v: expected [7, %d], got [5, %d]".formatted(d, d));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> all.logDensity(parameters.backend().zeros(d)))
        .withMessage("v: expected [7, %d], got [%d]".formatted(d, d));
  }

  private Tensor each() {
    return parameters.backend().longs(LongStream.range(0, ROWS).toArray(), ROWS);
  }

  private Tensor copies(long row, long count) {
    return parameters.backend().longs(new long[] {row}, 1).repeat(count);
  }

  private Grid grid() {
    return Grid.of(parameters.backend(), distribution.features(), distribution.binary());
  }

  /** The probability of every cell of the grid under row {@code row}. */
  private double[] probabilities(Grid grid, long row) {
    Tensor logDensity = rows.at(copies(row, grid.points().size(0))).logDensity(grid.points());
    return Backend.doubles(logDensity.exp().mul(Scalars.of(grid.cell())));
  }

  private static Tensor product(Tensor v, int i, int j) {
    return v.select(1, i).mul(v.select(1, j));
  }
}
