package cifvi.tensor;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import cifvi.testing.NativeScope;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices and precisions by name, and numbers on their way to tensors and back. */
@ExtendWith(NativeScope.class)
class BackendTest {
  private static final double THIRD = 1 / 3.0;

  @ParameterizedTest
  @ValueSource(strings = {"gpu", "", "CPU", "cuda:", "cuda:x", "cuda:-1", "cpu:0", " cpu"})
  void anUnknownDeviceIsNamed(String device) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Backend.of(device, Precision.FLOAT32))
        .withMessage("device: expected cpu, cuda or cuda:n, got " + device);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuda", "cuda:0"})
  void aMissingDeviceIsNamed(String device) {
    assumeFalse(Torch.hasCuda());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Backend.of(device, Precision.FLOAT32))
        .withMessageStartingWith("device: " + device + " is not available")
        .withMessageEndingWith("use the device cpu");
  }

  @Test
  void aBackendSaysWhatItIs() {
    Backend backend = Backend.of("cpu", Precision.FLOAT64);
    assertThat(backend.device()).isEqualTo("cpu");
    assertThat(backend.precision()).isEqualTo(Precision.FLOAT64);
    assertThat(backend).hasToString("cpu float64");
  }

  @ParameterizedTest
  @EnumSource
  void precisionsHaveNames(Precision precision) {
    assertThat(Precision.parse(precision.toString())).isEqualTo(precision);
    assertThat(Precision.of(Backend.cpu(precision).zeros(2))).isEqualTo(precision);
    assertThat(Backend.cpu(precision).zeros(2).element_size()).isEqualTo(precision.bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"float16", "FLOAT32", "double", ""})
  void anUnknownPrecisionIsNamed(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Precision.parse(name))
        .withMessage("precision: expected float32 or float64, got " + name);
  }

  @Test
  void integersHaveNoPrecision() {
    Tensor integers = Backend.cpu(Precision.FLOAT32).longs(new long[] {1}, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Precision.of(integers))
        .withMessage("dtype: expected float32 or float64, got Long");
  }

  @ParameterizedTest
  @EnumSource
  void numbersComeBackRowMajor(Precision precision) {
    var backend = Backend.cpu(precision);
    double[] values = {1, 2.5, -3, THIRD, 1e30, 0};
    Tensor tensor = backend.tensor(values, 2, 3);
    assertThat(tensor).hasShape(2, 3).hasPrecision(precision);
    double third = precision == Precision.FLOAT64 ? THIRD : (float) THIRD;
    double large = precision == Precision.FLOAT64 ? 1e30 : 1e30f;
    assertThat(Backend.doubles(tensor)).containsExactly(1, 2.5, -3, third, large, 0);
    assertThat(Backend.doubles(tensor.t())).containsExactly(1, third, 2.5, large, -3, 0);
    assertThat(backend.tensor(new float[] {1.5f, 2}, 2)).hasPrecision(precision);
  }

  @Test
  void integersComeBack() {
    long[] values = {3, -1, Long.MAX_VALUE};
    Tensor tensor = Backend.cpu(Precision.FLOAT32).longs(values, 3, 1);
    assertThat(tensor).hasShape(3, 1);
    assertThat(Backend.longs(tensor)).containsExactly(values);
  }

  @ParameterizedTest
  @EnumSource
  void emptyTensorsAreAllowed(Precision precision) {
    var backend = Backend.cpu(precision);
    assertThat(Backend.doubles(backend.tensor(new double[0], 0, 3))).isEmpty();
    assertThat(Backend.longs(backend.longs(new long[0], 0))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void fillingMakesConstants(Precision precision) {
    var backend = Backend.cpu(precision);
    assertThat(Backend.doubles(backend.full(2.5, 2))).containsExactly(2.5, 2.5);
    assertThat(Backend.doubles(backend.zeros(2))).containsExactly(0, 0);
    assertThat(backend.full(2.5, 2, 1)).hasShape(2, 1).hasPrecision(precision);
  }

  @Test
  void aWrongNumberOfValuesIsNamed() {
    var backend = Backend.cpu(Precision.FLOAT32);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> backend.tensor(new double[5], 2, 3))
        .withMessage("values: expected 6 for shape [2, 3], got 5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> backend.longs(new long[5], 4))
        .withMessage("values: expected 4 for shape [4], got 5");
  }

  @Test
  void whatIsKeptOutlivesItsScope() {
    var backend = Backend.cpu(Precision.FLOAT64);
    Tensor kept;
    Tensor dropped;
    try (var _ = new PointerScope()) {
      dropped = backend.full(1, 2);
      kept = Scope.keep(backend.full(2, 2));
    }
    assertThat(dropped.isNull()).isTrue();
    assertThat(Backend.doubles(kept)).containsExactly(2, 2);
    Scope.release(kept);
    assertThat(kept.isNull()).isTrue();
  }

  @Test
  void threadsMustBePositive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Torch.threads(0))
        .withMessage("threads: expected at least 1, got 0");
    assertThat(Torch.threads()).isPositive();
  }
}
