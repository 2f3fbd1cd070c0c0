package cifvi.engine.internal.graph.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.graph.Devices;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.engine.internal.plan.UncoveredException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Few rows are shared by many warps, many rows by many channels, and every block fits. */
class StripShapeTest {
  @ParameterizedTest
  @CsvSource({
    "4, 4, 128, 100, 4, 2",
    "7, 7, 64, 100, 8, 1",
    "14, 14, 32, 100, 4, 2",
    "28, 14, 64, 100, 2, 4",
    "4, 7, 64, 100, 4, 1",
    "14, 28, 16, 100, 4, 1",
    "4, 4, 128, 10000, 1, 8",
    "28, 14, 64, 10000, 1, 8",
    "14, 28, 16, 10000, 1, 4",
    "14, 14, 2, 10000, 8, 1"
  })
  void cut(int in, int out, int outputs, int rows, int slices, int groups) {
    assertThat(new StripShape(in, out).cut(rows, outputs, Devices.H200))
        .isEqualTo(new StripShape.Cut(slices, groups));
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "7, 7", "14, 14", "4, 7", "7, 14", "14, 28", "7, 4", "14, 7", "28, 14"})
  void blocksFit(int in, int out) {
    var shape = new StripShape(in, out);
    for (DeviceLimits limits : new DeviceLimits[] {Devices.H200, Devices.RTX_4090, Devices.T4}) {
      for (int rows : new int[] {1, 100, 10000}) {
        assertThat(shape.bytes(shape.cut(rows, 128, limits)))
            .isLessThanOrEqualTo(limits.blockShared());
      }
    }
  }

  @Test
  void saysWhatIsMissing() {
    var tiny = new DeviceLimits(8, 32 * 1024, 32 * 1024, 0);
    var convolution = new Convolution(14, 28, 3, 32, 16, 0, 0, true, false);
    StripShape.requireRoom(convolution, Devices.T4);
    assertThatThrownBy(() -> StripShape.requireRoom(convolution, tiny))
        .isInstanceOf(UncoveredException.class)
        .hasMessageContaining("a convolution needs");
  }
}
