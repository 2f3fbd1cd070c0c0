package cifvi.bijection;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Closed forms and starting values of the bijections that are linear in w. */
@ExtendWith(NativeScope.class)
class LinearBijectionsTest {
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final double TOLERANCE = 1e-14;

  private final Parameters parameters = new Parameters(FLOAT64, 3);
  private final Tensor w = Tensors.normal(FLOAT64, 1, 7, 3);

  @Test
  void outputJOfAPermutationIsInputOrderJ() {
    Tensor z = new Permutation(parameters, 2, 0, 1).forward(w).value();
    assertThat(z.select(1, 0)).isExactly(w.select(1, 2));
    assertThat(z.select(1, 1)).isExactly(w.select(1, 0));
    assertThat(z.select(1, 2)).isExactly(w.select(1, 1));
  }

  @Test
  void whatIsNoPermutationIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Permutation(parameters, -1, 0, 1))
        .withMessage("order: expected a permutation of 0 to 2, got [-1, 0, 1]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Permutation(parameters, 0, 2, 2))
        .withMessage("order: expected a permutation of 0 to 2, got [0, 2, 2]");
  }

  @Test
  void randomPermutationsDifferByNameAndNotByRun() {
    long[] first = Permutation.random(parameters.in("a"), 20).order();
    long[] second = Permutation.random(parameters.in("b"), 20).order();
    var again = Permutation.random(new Parameters(FLOAT64, 3).in("a"), 20);
    assertThat(first).containsExactlyInAnyOrder(LongStream.range(0, 20).toArray());
    assertThat(first).isNotEqualTo(second).isEqualTo(again.order());
  }

  @Test
  void randomPermutationsAreUniform() {
    // n draws, each of the 6 orders with probability 1/6: 5 standard errors of a frequency
    int n = 3000;
    int[] counts = new int[6];
    for (int seed = 0; seed < n; seed++) {
      long[] order = Permutation.random(new Parameters(FLOAT64, seed), 3).order();
      counts[(int) (2 * order[0] + (order[1] > order[2] ? 1 : 0))]++;
    }
    double bound = 5 * Math.sqrt(n * (1 / 6.0) * (5 / 6.0));
    for (int count : counts) {
      assertThat(Math.abs(count - n / 6.0)).isLessThan(bound);
    }
  }

  @Test
  void anLuMapStartsAsTheIdentity() {
    Mapped z = new LuLinear(parameters, 3).forward(w);
    assertThat(z.value()).isCloseTo(w, TOLERANCE);
    assertThat(z.logDet()).isCloseTo(w.new_zeros(7), TOLERANCE);
  }

  @Test
  void anLuMapOfOneFeatureWorks() {
    Mapped z = new LuLinear(parameters, 1).forward(w.narrow(1, 0, 1));
    assertThat(z.value()).isCloseTo(w.narrow(1, 0, 1), TOLERANCE);
    assertThat(parameters.state()).hasSize(4);
  }

  @Test
  void anAffineMapShiftsThenScales() {
    Tensor s = FLOAT64.full(Math.log(2), 1, 3);
    Mapped z = new Affine(s, FLOAT64.full(0.5, 1, 3)).forward(w);
    assertThat(z.value()).isCloseTo(w.mul(Scalars.of(2)).add(Scalars.of(1)), TOLERANCE);
    assertThat(z.logDet()).isCloseTo(FLOAT64.full(3 * Math.log(2), 7), TOLERANCE);
  }

  @Test
  void aTrainingBatchIsNormalised() {
    var norm = new BatchNorm(parameters, 3);
    parameters.training(true);
    Tensor z = norm.forward(w).value();
    assertThat(z.mean(0)).isCloseTo(w.new_zeros(3), TOLERANCE);
    assertThat(z.mul(z).mean(0)).isCloseTo(w.new_ones(3), 1e-4); // the variance gets 1e-5 more
  }

  @Test
  void batchStatisticsAreFoldedInWhenTheStepIsDone() {
    var norm = new BatchNorm(parameters, 3);
    parameters.training(true);
    norm.forward(w);
    Tensor mean = Tensors.get(parameters.buffers(), "running_mean");
    assertThat(mean).isAllZero();
    parameters.stepDone();
    assertThat(mean).isCloseTo(w.mean(0).mul(Scalars.of(0.1)), TOLERANCE);
  }
}
