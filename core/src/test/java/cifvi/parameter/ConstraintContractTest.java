package cifvi.parameter;

import static cifvi.parameter.TorchTransforms.FLOAT64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.parameter.ParameterCases.Case;
import cifvi.tensor.Backend;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What every constraint promises, against libtorch's autograd in double precision. */
@ParameterizedClass(name = "{0}")
@MethodSource("cases")
@ExtendWith(NativeScope.class)
class ConstraintContractTest {
  private static final int ROWS = 6;
  private static final long SEED = 23;

  /** Relative, above 1: some thousand roundings. */
  private static final double TOLERANCE = 1e-12;

  /** Of differences of fourth order with the step {@link #STEP}, rounding included. */
  private static final double DIFFERENCES = 2e-11;

  private static final double STEP = 1e-3;

  private final Case kind;
  private final ParameterSpace space;
  private Tensor points;
  private double[][] rows;

  ConstraintContractTest(Case kind) {
    this.kind = kind;
    this.space = ParameterSpace.of(kind.parameter());
  }

  static List<Case> cases() {
    return ParameterCases.all();
  }

  @BeforeEach
  void draw() {
    points = Tensors.normal(FLOAT64, SEED, ROWS, Math.max(1, space.unconstrainedSize()));
    points = points.narrow(1, 0, space.unconstrainedSize()).contiguous();
    rows = split(points, space.unconstrainedSize());
  }

  private static double[][] split(Tensor tensor, int width) {
    double[] all = width == 0 ? new double[0] : Backend.doubles(tensor.contiguous());
    var rows = new double[ROWS][];
    for (int r = 0; r < ROWS; r++) {
      rows[r] = Arrays.copyOfRange(all, r * width, (r + 1) * width);
    }
    return rows;
  }

  private double[] constrained(double[] y) {
    var x = new double[space.constrainedSize()];
    space.constrain(y, x);
    return x;
  }

  private double logJacobian(double[] y) {
    return space.constrain(y, new double[space.constrainedSize()]);
  }

  private static void assertClose(double[] actual, double[] expected, double tolerance) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < actual.length; i++) {
      double scale = Math.max(1, Math.abs(expected[i]));
      assertThat(actual[i]).as("number %d", i).isCloseTo(expected[i], within(tolerance * scale));
    }
  }

  @Test
  void valuesAreThoseOfTheManual() {
    double[][] expected = split(kind.reference(points), space.constrainedSize());
    for (int r = 0; r < ROWS; r++) {
      assertClose(constrained(rows[r]), expected[r], TOLERANCE);
    }
  }

  @Test
  void unconstrainUndoesConstrain() {
    for (double[] y : rows) {
      double[] x = constrained(y);
      var back = new double[y.length];
      space.unconstrain(x, back);
      assertClose(constrained(back), x, TOLERANCE);
      if (!kind.unitVector()) {
        assertClose(back, y, TOLERANCE);
      }
    }
  }

  @Test
  void theLogJacobianIsThatOfAutograd() {
    double[] expected = Backend.doubles(logJacobians());
    for (int r = 0; r < ROWS; r++) {
      assertThat(logJacobian(rows[r]))
          .isCloseTo(expected[r], within(TOLERANCE * Math.max(1, Math.abs(expected[r]))));
    }
  }

  /** A unit vector's map has no Jacobian: Stan has the kernel of a normal in y instead. */
  private Tensor logJacobians() {
    if (kind.unitVector()) {
      return points.square().sum(1).mul(Scalars.of(-0.5));
    }
    if (space.unconstrainedSize() == 0) {
      return FLOAT64.zeros(ROWS);
    }
    long[] free = Arrays.stream(kind.freeColumns()).asLongStream().toArray();
    assertThat(free).hasSize(space.unconstrainedSize());
    Tensor jacobian = Tensors.jacobian(kind::reference, points);
    return jacobian.index_select(1, FLOAT64.longs(free, free.length)).slogdet().get1();
  }

  @Test
  void theGradientIsThatOfAutogradAndOfDifferences() {
    if (space.unconstrainedSize() == 0) {
      return;
    }
    Tensor weights = Tensors.normal(FLOAT64, SEED + 1, ROWS, space.constrainedSize());
    Tensor leaf = Tensors.leaf(points);
    Tensor gradient = Tensors.gradient(kind.reference(leaf).mul(weights).sum(), leaf);
    double[][] expected = split(gradient, space.unconstrainedSize());
    double[][] dLdx = split(weights, space.constrainedSize());
    for (int r = 0; r < ROWS; r++) {
      var actual = new double[rows[r].length];
      Arrays.fill(actual, 0.25);
      space.addGradient(rows[r], constrained(rows[r]), dLdx[r], actual);
      for (int j = 0; j < actual.length; j++) {
        expected[r][j] += 0.25 + differences(rows[r], j);
      }
      assertClose(actual, expected[r], DIFFERENCES);
    }
  }

  /** d log |J| / dy_j. */
  private double differences(double[] y, int j) {
    double sum = 0;
    double[] steps = {-2, -1, 1, 2};
    double[] factors = {1, -8, 8, -1};
    for (int k = 0; k < steps.length; k++) {
      double[] moved = y.clone();
      moved[j] += steps[k] * STEP;
      sum += factors[k] * logJacobian(moved);
    }
    return sum / (12 * STEP);
  }
}
