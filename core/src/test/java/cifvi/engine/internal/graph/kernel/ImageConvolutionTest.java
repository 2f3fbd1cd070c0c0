package cifvi.engine.internal.graph.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.graph.Devices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A block has room for the image that it takes through the decoder of the paper. */
class ImageConvolutionTest {
  @ParameterizedTest
  @CsvSource({
    "4, 4, 128, 128, 60", "7, 7, 64, 64, 78", "14, 14, 32, 32, 82",
    "4, 7, 256, 64, 108", "7, 14, 128, 32, 150", "14, 28, 64, 16, 165",
    "7, 4, 64, 256, 66", "14, 7, 32, 128, 81", "28, 14, 16, 64, 104"
  })
  void kilobytes(int in, int out, int channels, int outputs, int kilobytes) {
    int bytes = new ImageConvolution(in, out, channels, outputs).bytes();
    assertThat(Math.ceilDiv(bytes, 1024)).isEqualTo(kilobytes);
    assertThat(bytes).isLessThanOrEqualTo(Devices.H200.blockShared());
  }

  @Test
  void paysWhereEveryImageHasAMultiprocessor() {
    assertThat(ImageConvolution.pays(100, Devices.H200)).isTrue();
    assertThat(ImageConvolution.pays(132, Devices.H200)).isTrue();
    assertThat(ImageConvolution.pays(133, Devices.H200)).isFalse();
  }
}
