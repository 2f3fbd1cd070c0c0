package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.graph.kernel.DeviceImages;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scope;
import cifvi.testing.NativeScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel binarises with the words of the address, image by image. */
@ExtendWith(NativeScope.class)
class DeviceImagesTest {
  private static final long SEED = 0xFEDC_BA98_7654_3210L;
  private static final int STREAM = 1;
  private static final long ROUND = 4_000_000_000L;
  private static final int COUNT = 300;

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 784})
  void drawsWhatTheWordsSay(int size) {
    var backend = Backend.cpu(Precision.FLOAT32);
    var source = KernelSource.of(Precision.FLOAT32, "noise.cu", "binarise.cu");
    var launcher = HostLauncher.of(source, "binarise").with(32, false);
    byte[] pixels = new byte[COUNT * size];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) (i * 7 % 256);
    }
    int[] rows = {299, 0, 17, 17, 5};
    try (var images = new DeviceImages(backend, launcher, pixels, size)) {
      Tensor order = images.order(rows);
      double[] drawn = Backend.doubles(images.draw(order, 1, 4, SEED, STREAM, ROUND));
      Scope.release(order);
      assertThat(drawn).hasSize(4 * size);
      for (int i = 0; i < drawn.length; i++) {
        int row = rows[1 + i / size];
        int pixel = i % size;
        int value = Byte.toUnsignedInt(pixels[row * size + pixel]);
        assertThat(drawn[i])
            .isEqualTo(word(row, pixel, size) * 255 < (double) value * (1L << 32) ? 1 : 0);
      }
    }
  }

  private static double word(int row, int pixel, int size) {
    int[] words = new int[4];
    long block = (long) row * Math.ceilDiv(size, 4) + pixel / 4;
    CounterRng.words(SEED, Purpose.BINARISE, ROUND, STREAM, block, words);
    return Integer.toUnsignedLong(words[pixel % 4]);
  }

  @Test
  void theProcessorKeepsItsOwnWay() {
    assertThat(DeviceImages.on(Backend.cpu(Precision.FLOAT32), new byte[4], 4)).isEmpty();
  }
}
