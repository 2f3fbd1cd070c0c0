package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.data.Binarisation.Part;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Draws have the right probability and depend on seed, part, round, image and pixel alone. */
class BinarisationTest {
  /** A correct generator misses this many standard errors once in 1.7 million. */
  private static final double STANDARD_ERRORS = 5;

  private static Binarisation grey(int count, int height, int width) {
    byte[] pixels = new byte[count * height * width];
    new Random(1).nextBytes(pixels);
    return new Binarisation(
        new ImageSet(pixels, new byte[count], count, height, width), 1, Part.TRAIN);
  }

  private static float[] draw(Binarisation binarisation, long round, int... rows) {
    float[] out = new float[rows.length * binarisation.images().size()];
    binarisation.draw(round, rows, 0, rows.length, out);
    return out;
  }

  @ParameterizedTest
  @CsvSource({"28, 28", "3, 3", "1, 2"})
  void aDrawDoesNotDependOnTheBatch(int height, int width) {
    var grey = grey(10, height, width);
    int size = height * width;
    float[] batch = draw(grey, 4, 9, 2, 5);
    assertThat(Arrays.copyOfRange(batch, 0, size)).isEqualTo(draw(grey, 4, 9));
    assertThat(Arrays.copyOfRange(batch, size, 2 * size)).isEqualTo(draw(grey, 4, 2));
    float[] part = new float[2 * size];
    grey.draw(4, new int[] {9, 2, 5, 7}, 1, 2, part);
    assertThat(part).isEqualTo(Arrays.copyOfRange(batch, size, 3 * size));
  }

  @Test
  void everyAddressHasItsOwnDraw() {
    var grey = grey(2, 28, 28);
    float[] draw = draw(grey, 4, 1);
    var images = grey.images();
    assertThat(draw(new Binarisation(images, 1, Part.TRAIN), 4, 1)).isEqualTo(draw);
    assertThat(draw(new Binarisation(images, 2, Part.TRAIN), 4, 1)).isNotEqualTo(draw);
    assertThat(draw(new Binarisation(images, 1, Part.VALIDATION), 4, 1)).isNotEqualTo(draw);
    assertThat(draw(new Binarisation(images, 1, Part.TEST), 4, 1)).isNotEqualTo(draw);
    assertThat(draw(grey, 5, 1)).isNotEqualTo(draw);
  }

  @Test
  void everyGreyHasItsProbability() {
    byte[] ramp = new byte[256];
    for (int value = 0; value < 256; value++) {
      ramp[value] = (byte) value;
    }
    var binarisation = new Binarisation(new ImageSet(ramp, new byte[1], 1, 16, 16), 1, Part.TEST);
    int rounds = 10_000;
    double[] ones = new double[256];
    for (int round = 0; round < rounds; round++) {
      float[] out = draw(binarisation, round, 0);
      for (int value = 0; value < 256; value++) {
        ones[value] += out[value];
      }
    }
    for (int value = 0; value < 256; value++) {
      double p = value / 255.0;
      assertThat(ones[value] / rounds)
          .isCloseTo(p, within(STANDARD_ERRORS * Math.sqrt(p * (1 - p) / rounds)));
    }
  }

  /** Black and white pixels skip the generator: that must not change what their neighbours get. */
  @Test
  void aDrawDoesNotDependOnOtherPixels() {
    var grey = grey(3, 5, 5);
    var random = new Random(2);
    byte[] pixels = grey.images().pixels().clone();
    boolean[] kept = new boolean[pixels.length];
    for (int i = 0; i < pixels.length; i++) {
      kept[i] = random.nextInt(3) == 0;
      if (!kept[i]) {
        pixels[i] = (byte) (random.nextBoolean() ? 0 : 255);
      }
    }
    var sparse = new Binarisation(new ImageSet(pixels, new byte[3], 3, 5, 5), 1, Part.TRAIN);
    float[] before = draw(grey, 0, 0, 1, 2);
    float[] after = draw(sparse, 0, 0, 1, 2);
    for (int i = 0; i < pixels.length; i++) {
      assertThat(after[i]).isEqualTo(kept[i] ? before[i] : pixels[i] == 0 ? 0f : 1f);
    }
  }

  /** Saved runs go on with these very numbers: pixel p of image i is lane p mod 4 of its block. */
  @Test
  void theAddressesStayTheSame() {
    var grey = grey(3, 28, 28);
    float[] out = draw(grey, 6, 2);
    int[] words = new int[4];
    for (int pixel = 0; pixel < 784; pixel++) {
      CounterRng.words(1, Purpose.BINARISE, 6, 0, 2 * 196 + pixel / 4, words);
      double u = Integer.toUnsignedLong(words[pixel % 4]) * 0x1p-32;
      double p = Byte.toUnsignedInt(grey.images().pixels()[2 * 784 + pixel]) / 255.0;
      assertThat(out[pixel]).isEqualTo(u < p ? 1f : 0f);
    }
  }
}
