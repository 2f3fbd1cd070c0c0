package cifvi.experiments.data;

import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import java.util.Arrays;

/**
 * Dynamic binarisation: a pixel is 1 with probability value/255, a fresh draw each round. The draw
 * is a pure function of (seed, part, round, image, pixel), whatever else is in the batch.
 *
 * <p>The released code divides by the largest value of the batch, which is 255 in practice: every
 * batch of 100 has a white pixel.
 */
public record Binarisation(ImageSet images, long seed, Part part) {
  /** Whose draws; each part has a stream of its own, whose number is part of every result. */
  public enum Part {
    TRAIN(0),
    VALIDATION(1),
    TEST(2);

    private final int stream;

    Part(int stream) {
      this.stream = stream;
    }
  }

  private static final int WHITE = 255;

  /** A pixel of this value is 1 where its unsigned word is below: exact to 2⁻³². */
  private static final long[] BELOW = new long[WHITE + 1];

  static {
    Arrays.setAll(BELOW, value -> Math.ceilDiv((long) value << 32, WHITE));
  }

  /**
   * Draws images {@code rows[from]} to {@code rows[from + count - 1]}.
   *
   * @param round the epoch, or the number of the evaluation
   * @param out set to {@code [count, height, width]} zeros and ones from its start on
   */
  public void draw(long round, int[] rows, int from, int count, float[] out) {
    int size = images.size();
    int[] words = new int[4];
    Arrays.fill(out, 0, count * size, 0);
    for (int i = 0; i < count; i++) {
      draw(round, rows[from + i], words, out, i * size);
    }
  }

  /** One image; a block of four pixels that are all 0 or 255 needs no random words. */
  private void draw(long round, int row, int[] words, float[] out, int at) {
    byte[] pixels = images.pixels();
    int size = images.size();
    int first = row * size;
    int blocks = Math.ceilDiv(size, 4);
    for (int block = 0; block < blocks; block++) {
      int start = 4 * block;
      int end = Math.min(start + 4, size);
      boolean grey = false;
      for (int p = start; p < end; p++) {
        // 0 and 255 are the bytes 0 and -1
        grey |= (byte) (pixels[first + p] + 1) >>> 1 != 0;
      }
      if (grey) {
        CounterRng.words(
            seed, Purpose.BINARISE, round, part.stream, (long) row * blocks + block, words);
      }
      for (int p = start; p < end; p++) {
        long below = BELOW[Byte.toUnsignedInt(pixels[first + p])];
        if (Integer.toUnsignedLong(words[p - start]) < below) {
          out[at + p] = 1;
        }
      }
    }
  }
}
