package cifvi.bijection;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.bijection.BijectionCases.Case;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every bijection promises, checked for each of them in both precisions. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("cases")
@ExtendWith(NativeScope.class)
class BijectionContractTest {
  private static final long SEED = 17;
  private static final long ROWS = 64;
  private static final int STARTS = 24;

  /** Outside the splines' box [-3, 3] by a factor of ten. */
  private static final double FAR = 30;

  private final Case bijection;
  private final Precision precision;
  private Parameters parameters;
  private Bijection g;
  private Tensor points;

  BijectionContractTest(Case bijection, Precision precision) {
    this.bijection = bijection;
    this.precision = precision;
  }

  static List<Arguments> cases() {
    return BijectionCases.all().stream()
        .flatMap(c -> Arrays.stream(Precision.values()).map(p -> Arguments.of(c, p)))
        .toList();
  }

  @BeforeEach
  void create() {
    create(SEED);
  }

  private void create(long seed) {
    parameters = new Parameters(Backend.cpu(precision), seed);
    g = bijection.create(parameters, seed);
    points = Tensors.normal(parameters.backend(), SEED, ROWS, bijection.features());
  }

  /** Two thousand roundings: the steepest bins enlarge one by about fifty. */
  private double tolerance() {
    return precision == Precision.FLOAT64 ? 2e-13 : 1e-4;
  }

  @Test
  void theInverseUndoesTheForwardMap() {
    Mapped z = g.forward(points);
    Mapped back = g.inverse(z.value());
    assertThat(back.value()).isCloseTo(points, tolerance());
    assertThat(back.logDet()).isCloseTo(z.logDet().neg(), tolerance());
  }

  @Test
  void theForwardMapUndoesTheInverse() {
    Mapped w = g.inverse(points);
    Mapped back = g.forward(w.value());
    assertThat(back.value()).isCloseTo(points, tolerance());
    assertThat(back.logDet()).isCloseTo(w.logDet().neg(), tolerance());
  }

  @Test
  void shapesAndPrecisionAreKept() {
    for (Mapped mapped : List.of(g.forward(points), g.inverse(points))) {
      assertThat(mapped.value()).hasShape(points.shape()).hasPrecision(precision);
      assertThat(mapped.logDet()).hasShape(ROWS).hasPrecision(precision);
    }
  }

  @Test
  void theLogDetIsThatOfTheJacobian() {
    for (Function<Tensor, Mapped> direction : directions()) {
      Tensor jacobian = Tensors.jacobian(w -> direction.apply(w).value(), points);
      Tensor expected = jacobian.slogdet().get1();
      assertThat(direction.apply(points).logDet()).isCloseTo(expected, tolerance());
    }
  }

  @Test
  void aBatchIsALoopOverItsRows() {
    for (Function<Tensor, Mapped> direction : directions()) {
      Mapped batch = direction.apply(points);
      for (long row = 0; row < 5; row++) {
        Mapped single = direction.apply(points.narrow(0, row, 1));
        assertThat(single.value()).isCloseTo(batch.value().narrow(0, row, 1), tolerance());
        assertThat(single.logDet()).isCloseTo(batch.logDet().narrow(0, row, 1), tolerance());
      }
    }
  }

  @Test
  void aGradientReachesTheInput() {
    for (Function<Tensor, Mapped> direction : directions()) {
      Tensor w = Tensors.leaf(points);
      backward(direction.apply(w));
      assertThat(w.grad()).isFinite().hasNoZero();
    }
  }

  @Test
  void aGradientReachesEveryParameter() {
    for (int direction = 0; direction < 2; direction++) {
      Tensor sum = sumOfGradients(direction);
      parameters.flat().gradient().copy_(sum);
      for (String name : parameters.names()) {
        assertThat(Tensors.usedGradient(parameters, name)).as(name).isFinite().hasNoZero();
      }
    }
  }

  /** Over several starts, since a relu can be switched off at one of them. */
  private Tensor sumOfGradients(int direction) {
    Tensor sum = parameters.backend().zeros(parameters.flat().size());
    for (long seed = 0; seed < STARTS; seed++) {
      create(seed);
      backward(directions().get(direction).apply(Tensors.leaf(points)));
      sum.add_(parameters.flat().gradient().abs());
    }
    return sum;
  }

  @Test
  void farOutsideTheBoxAllIsFinite() {
    for (Function<Tensor, Mapped> direction : directions()) {
      Tensor w = Tensors.leaf(points.sign().mul(Scalars.of(FAR)));
      Mapped mapped = direction.apply(w);
      assertThat(mapped.value()).isFinite();
      assertThat(mapped.logDet()).isFinite();
      backward(mapped);
      assertThat(w.grad()).isFinite();
      assertThat(parameters.flat().gradient()).isFinite();
    }
  }

  @Test
  void farOutsideTheBoxTheInverseStillHolds() {
    Tensor w = points.sign().mul(Scalars.of(FAR));
    Mapped z = g.forward(w);
    Mapped back = g.inverse(z.value());
    assertThat(back.value()).isCloseTo(w, tolerance());
    assertThat(back.logDet()).isCloseTo(z.logDet().neg(), tolerance());
  }

  @Test
  void neitherDirectionChangesAnything() {
    var before = parameters.state().values().stream().map(Tensor::clone).toList();
    Mapped first = g.forward(points);
    g.inverse(points);
    assertThat(g.forward(points).value()).isExactly(first.value());
    var after = List.copyOf(parameters.state().values());
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i)).isExactly(before.get(i));
    }
  }

  @Test
  void aWrongNumberOfFeaturesIsNamed() {
    int d = bijection.features();
    Tensor wide = parameters.backend().zeros(7, d + 1);
    String message = "[wz]: expected \\[batch, %d\\], got \\[7, %d\\]".formatted(d, d + 1);
    for (Function<Tensor, Mapped> direction : directions()) {
      if (bijection.anyWidth()) {
        assertThatCode(() -> direction.apply(wide)).doesNotThrowAnyException();
      } else {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> direction.apply(wide))
            .withMessageMatching(message);
      }
    }
  }

  private List<Function<Tensor, Mapped>> directions() {
    return List.of(g::forward, g::inverse);
  }

  /** The gradient of a sum in which every output has a weight of its own. */
  private void backward(Mapped mapped) {
    parameters.flat().gradient().zero_();
    Tensor weights = Tensors.normal(parameters.backend(), SEED + 1, ROWS, mapped.value().size(1));
    Tensor logDets = mapped.logDet().mul(weights.select(1, 0));
    mapped.value().mul(weights).sum().add(logDets.sum()).backward();
    parameters.flat().maskGradient();
  }
}
