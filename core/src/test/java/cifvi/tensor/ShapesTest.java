package cifvi.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.testing.NativeScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Shapes are checked, and what is wrong is said with the argument's name. */
@ExtendWith(NativeScope.class)
class ShapesTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);

  @Test
  void theBatchAxisIsFree() {
    assertThatCode(() -> Shapes.require("w", FLOAT32.zeros(7, 2), Shapes.BATCH, 2))
        .doesNotThrowAnyException();
    assertThatCode(() -> Shapes.require("w", FLOAT32.zeros(0, 2), Shapes.BATCH, 2))
        .doesNotThrowAnyException();
  }

  @Test
  void anotherLengthIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shapes.require("w", FLOAT32.zeros(1000, 3), Shapes.BATCH, 2))
        .withMessage("w: expected [batch, 2], got [1000, 3]");
  }

  @Test
  void anotherNumberOfAxesIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shapes.require("x", FLOAT32.zeros(5), Shapes.BATCH, 1, 28, 28))
        .withMessage("x: expected [batch, 1, 28, 28], got [5]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shapes.require("x", FLOAT32.zeros(), 1))
        .withMessage("x: expected [1], got []");
  }

  @Test
  void aFixedBatchIsChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shapes.require("w", FLOAT32.zeros(7, 2), 8, 2))
        .withMessage("w: expected [8, 2], got [7, 2]");
  }

  @Test
  void oneRowFitsAnyBatch() {
    assertThat(Shapes.batchOf(FLOAT32.zeros(1, 2))).isEqualTo(Shapes.BATCH);
    assertThat(Shapes.batchOf(FLOAT32.zeros(7, 2))).isEqualTo(7);
  }

  @Test
  void anotherTypeIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shapes.requireSameKind("w", FLOAT64.zeros(2), FLOAT32.zeros(2)))
        .withMessage("w: expected dtype Float, got Double");
    assertThatCode(() -> Shapes.requireSameKind("w", FLOAT64.zeros(2), FLOAT64.zeros(3)))
        .doesNotThrowAnyException();
  }

  @Test
  void anotherDeviceIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shapes.requireSameKind("w", onMeta(), FLOAT32.zeros(2)))
        .withMessage("w: expected device cpu, got meta");
  }

  private static Tensor onMeta() {
    return torch.zeros(
        new long[] {2},
        new TensorOptions()
            .dtype(new ScalarTypeOptional(ScalarType.Float))
            .device(new DeviceOptional(new Device("meta"))));
  }

  @Test
  void countsMultiplyTheAxes() {
    assertThat(Shapes.count(3, 4, 5)).isEqualTo(60);
    assertThat(Shapes.count()).isEqualTo(1);
    assertThat(Shapes.count(3, 0)).isZero();
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Shapes.count(1L << 40, 1L << 40));
  }

  @Test
  void shapesAreWrittenInBrackets() {
    assertThat(Shapes.text(Shapes.BATCH, 2)).isEqualTo("[batch, 2]");
    assertThat(Shapes.text()).isEqualTo("[]");
  }
}
