package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.experiments.data.Binarisation;
import cifvi.experiments.data.Binarisation.Part;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches of binary images, wherever they are made. */
class BinaryImagesTest {
  private static final Binarisation BINARISATION =
      new Binarisation(TinyImages.DATA.train(), 3, Part.VALIDATION);

  @Test
  void anotherOrderGivesTheSameImagesElsewhere() {
    try (var images = images("cpu", 5, 2, 9)) {
      double[] before = draw(images);
      images.reorder(new int[] {9, 5, 2});
      double[] after = draw(images);
      int size = before.length / 3;
      for (int i = 0; i < size; i++) {
        assertThat(after[i]).isEqualTo(before[2 * size + i]);
        assertThat(after[size + i]).isEqualTo(before[i]);
      }
    }
  }

  @Test
  @Tag("gpu")
  void aGpuDrawsTheVeryPixels() {
    try (var cuda = images("cuda", 5, 2, 9);
        var cpu = images("cpu", 5, 2, 9)) {
      assertThat(draw(cuda)).containsExactly(draw(cpu));
      cuda.reorder(new int[] {1, 1, 7});
      cpu.reorder(new int[] {1, 1, 7});
      assertThat(draw(cuda)).containsExactly(draw(cpu));
    }
  }

  private static BinaryImages images(String device, int... rows) {
    return new BinaryImages(Backend.of(device, Precision.FLOAT32), BINARISATION, rows);
  }

  private static double[] draw(BinaryImages images) {
    try (var _ = new PointerScope()) {
      return Backend.doubles(((Observation.Batch) images.draw(12, 0, 3)).x());
    }
  }
}
