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

/** Few rows are shared by warps that have different channels of the input, and every block fits. */
class ConvolutionShapeTest {
  @ParameterizedTest
  @CsvSource({
    "4, 4, 128, 128, 100, 2, 1, 4",
    "7, 7, 64, 64, 100, 4, 1, 2",
    "14, 14, 32, 32, 100, 2, 1, 4",
    "28, 14, 64, 16, 100, 2, 1, 2",
    "4, 7, 64, 128, 100, 2, 1, 4",
    "14, 28, 16, 32, 100, 2, 1, 4",
    "4, 4, 128, 128, 10000, 4, 2, 1",
    "28, 14, 64, 16, 10000, 4, 2, 1",
    "14, 28, 16, 32, 10000, 4, 1, 2",
    "14, 14, 2, 2, 10000, 4, 1, 1"
  })
  void cut(
      int in, int out, int outputs, int channels, int rows, int across, int groups, int slices) {
    assertThat(new ConvolutionShape(in, out).cut(rows, outputs, channels, Devices.H200))
        .isEqualTo(new ConvolutionShape.Cut(across, groups, slices));
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "7, 7", "14, 14", "4, 7", "7, 14", "14, 28", "7, 4", "14, 7", "28, 14"})
  void blocksFit(int in, int out) {
    var shape = new ConvolutionShape(in, out);
    for (DeviceLimits limits : new DeviceLimits[] {Devices.H200, Devices.RTX_4090, Devices.T4}) {
      for (int rows : new int[] {1, 100, 10000}) {
        for (int channels : new int[] {1, 16, 128}) {
          var cut = shape.cut(rows, 128, channels, limits);
          int staged = shape.staged(cut, channels, limits);
          assertThat(shape.bytes(cut, staged)).isLessThanOrEqualTo(limits.blockShared());
          assertThat(staged).isPositive().isLessThan(channels + 8);
        }
      }
    }
  }

  @Test
  void saysWhatIsMissing() {
    var tiny = new DeviceLimits(8, 16 * 1024, 16 * 1024, 0, true);
    var convolution = new Convolution(14, 28, 3, 32, 16, 0, 0, true, false);
    ConvolutionShape.requireRoom(convolution, Devices.RTX_4090);
    assertThatThrownBy(() -> ConvolutionShape.requireRoom(convolution, Devices.T4))
        .isInstanceOf(UncoveredException.class)
        .hasMessageContaining("matrix units");
    assertThatThrownBy(() -> ConvolutionShape.requireRoom(convolution, tiny))
        .isInstanceOf(UncoveredException.class)
        .hasMessageContaining("a convolution needs");
  }
}
