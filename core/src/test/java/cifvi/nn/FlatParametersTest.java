package cifvi.nn;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** One aligned buffer for all trained tensors, seen as tensors and as plain memory. */
@ParameterizedClass
@EnumSource
@ExtendWith(NativeScope.class)
class FlatParametersTest {
  private static final long CACHE_LINE = 64;

  private final Precision precision;
  private Parameters parameters;
  private Linear linear;
  private FlatParameters flat;

  FlatParametersTest(Precision precision) {
    this.precision = precision;
  }

  @BeforeEach
  void create() {
    parameters = new Parameters(Backend.cpu(precision), 1);
    linear = new Linear(parameters.in("a"), 3, 5); // 15 + 5 numbers
    parameters.add("empty", parameters.backend().zeros(0));
    parameters.add("b", parameters.backend().full(2, 4, 4));
    parameters.add("c", parameters.backend().full(3));
    flat = parameters.flat();
  }

  @Test
  void everyTensorBeginsAtAMultipleOfTheAlignment() {
    var offsets = flat.slices().values().stream().map(FlatParameters.Slice::offset).toList();
    assertThat(flat.slices().keySet()).containsExactly("a.weight", "a.bias", "empty", "b", "c");
    assertThat(offsets).containsExactly(0L, 16L, 32L, 32L, 48L);
    assertThat(flat.size()).isEqualTo(64);
  }

  @Test
  void theBuffersBeginAtACacheLine() {
    for (Tensor buffer : List.of(flat.values(), flat.effective(), flat.gradient())) {
      assertThat(buffer).hasShape(64).hasPrecision(precision);
      assertThat(buffer.data_ptr().address() % CACHE_LINE).isZero();
    }
  }

  @Test
  void theGapsStayZero() {
    linear.apply(parameters.backend().full(1, 2, 3)).sum().backward();
    flat.update(() -> flat.values().sub_(flat.gradient()));
    for (Tensor buffer : List.of(flat.values(), flat.effective(), flat.gradient())) {
      assertThat(buffer.narrow(0, 15, 1)).isAllZero();
      assertThat(buffer.narrow(0, 21, 11)).isAllZero();
      assertThat(buffer.narrow(0, 49, 15)).isAllZero();
    }
  }

  @Test
  void theTensorsOfTheNetworksAreViews() {
    flat.update(() -> flat.values().add_(Scalars.of(1)));
    assertThat(linear.weight()).isExactly(flat.view(flat.values(), "a.weight"));
    assertThat(linear.weight().data_ptr().address())
        .isEqualTo(flat.effective().data_ptr().address());
    assertThat(linear.bias()).hasShape(5);
  }

  @Test
  void flatteningKeepsTheNumbers() {
    var other = new Parameters(Backend.cpu(precision), 1);
    var same = new Linear(other.in("a"), 3, 5);
    assertThat(linear.weight()).isExactly(same.weight());
    assertThat(linear.bias()).isExactly(same.bias());
    assertThat(flat.view(flat.values(), "c")).isExactly(parameters.backend().full(3));
  }

  @Test
  void backwardPassesAddToTheGradientBuffer() {
    Tensor x = Tensors.normal(parameters.backend(), 1, 2, 3);
    linear.apply(x).sum().backward();
    linear.apply(x).sum().backward();
    Tensor bias = flat.view(flat.gradient(), "a.bias");
    assertThat(bias).isExactly(parameters.backend().full(4, 5));
    assertThat(flat.view(flat.gradient(), "a.weight").select(0, 0))
        .isCloseTo(x.sum(0).mul(Scalars.of(2)), 1e-6);
    assertThat(flat.view(flat.gradient(), "b")).isAllZero();
  }

  @Test
  void withoutMasksWhatIsTrainedIsWhatIsUsed() {
    assertThat(flat.effective().data_ptr().address()).isEqualTo(flat.values().data_ptr().address());
  }

  @Test
  void memoryIsThatOfTheTensor() {
    var memory = FlatParameters.memory(flat.values());
    double[] values = Backend.doubles(flat.values());
    assertThat(memory.byteSize()).isEqualTo(values.length * (long) precision.bytes());
    for (int i = 0; i < values.length; i++) {
      double read =
          precision == Precision.FLOAT64
              ? memory.getAtIndex(ValueLayout.JAVA_DOUBLE, i)
              : memory.getAtIndex(ValueLayout.JAVA_FLOAT, i);
      assertThat(read).isEqualTo(values[i]);
    }
    memory.fill((byte) 0);
    assertThat(linear.weight()).isAllZero();
  }

  @Test
  void anUnknownNameIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> flat.view(flat.values(), "a.wait"))
        .withMessage("parameter a.wait does not exist");
  }
}
