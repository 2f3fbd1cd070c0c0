package cifvi.engine.internal.graph.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.graph.Devices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A block has room for the image that it takes through the decoder of the paper. */
class ImageConvolutionTest {
  @ParameterizedTest
  @CsvSource({"64, 190", "128, 220"})
  void kilobytes(int channels, int kilobytes) {
    var shared = ImageConvolution.Shared.of(channels);
    assertThat(Math.ceilDiv(shared.all(), 1024)).isEqualTo(kilobytes);
    assertThat(shared.planes() % 16).isZero();
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
