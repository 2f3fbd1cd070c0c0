package cifvi.engine.internal.graph.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.graph.Devices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A block has room for the image that it takes through the decoder of the paper. */
class ImageConvolutionTest {
  /** What the planes that a convolution sees take, and what its warps sum. */
  @ParameterizedTest
  @CsvSource({
    "4, 4, 128, 128, 36, 40", "7, 7, 64, 64, 34, 52", "14, 14, 32, 32, 44, 49",
    "4, 7, 128, 64, 72, 68", "7, 14, 64, 32, 68, 98", "14, 28, 32, 16, 88, 99",
    "7, 4, 64, 128, 25, 40", "14, 7, 32, 64, 31, 52", "28, 14, 16, 32, 59, 49"
  })
  void kilobytes(int in, int out, int channels, int outputs, int planes, int sums) {
    var convolution = new ImageConvolution(in, out, channels, outputs);
    assertThat(Math.ceilDiv(convolution.planeWords(), 256)).isEqualTo(planes);
    assertThat(Math.ceilDiv(convolution.sums(), 256)).isEqualTo(sums);
  }

  @ParameterizedTest
  @CsvSource({"64, 190", "128, 220"})
  void kilobytesOfAll(int channels, int kilobytes) {
    var shared = ImageConvolution.Shared.of(channels);
    assertThat(Math.ceilDiv(shared.all(), 1024)).isEqualTo(kilobytes);
    assertThat(shared.planes() % 16).isZero();
    assertThat(shared.all()).isLessThanOrEqualTo(Devices.H200.blockShared());
  }

  @Test
  void fitsWhereABlockHasRoom() {
    assertThat(ImageConvolution.fits(128, Devices.H200)).isTrue();
    assertThat(ImageConvolution.fits(128, Devices.T4)).isFalse();
    assertThat(ImageConvolution.fits(192, Devices.H200)).isFalse();
  }

  @Test
  void fitsWhereChannelsComeInEights() {
    assertThat(ImageConvolution.fits(64, Devices.H200)).isTrue();
    assertThat(ImageConvolution.fits(96, Devices.H200)).isFalse();
  }
}
