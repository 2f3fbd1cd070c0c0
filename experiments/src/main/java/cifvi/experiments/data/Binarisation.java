package cifvi.experiments.data;

import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Dynamic binarisation: a pixel is 1 with probability value/255, a fresh draw each round. The draw
 * is a pure function of (seed, part, round, image, pixel), whatever else is in the batch.
 *
 * <p>The released code divides by the largest value of the batch. That is 255 in practice: nine
 * images in ten of either data set have such a pixel.
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

    /** Of the purpose BINARISE. */
    public int stream() {
      return stream;
    }
  }

  private static final VarHandle FOUR_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

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
    for (int i = 0; i < count; i++) {
      drawFours(round, rows[from + i], out, i * size);
      drawRest(round, rows[from + i], out, i * size);
    }
  }

  /** One image, four pixels at a time; where all are 0 or all 255 no random words are needed. */
  private void drawFours(long round, int row, float[] out, int at) {
    byte[] pixels = images.pixels();
    int size = images.size();
    int first = row * size;
    int[] words = new int[4]; // never on the heap once compiled
    for (int i = 0; i + 4 <= size; i += 4) {
      int four = (int) FOUR_BYTES.get(pixels, first + i);
      if (four == 0 || four == -1) {
        float same = -four;
        out[at + i] = same;
        out[at + i + 1] = same;
        out[at + i + 2] = same;
        out[at + i + 3] = same;
      } else {
        words(round, row, i, words);
        out[at + i] = bit(pixels[first + i], words[0]);
        out[at + i + 1] = bit(pixels[first + i + 1], words[1]);
        out[at + i + 2] = bit(pixels[first + i + 2], words[2]);
        out[at + i + 3] = bit(pixels[first + i + 3], words[3]);
      }
    }
  }

  /** The last pixels of an image whose size is no multiple of four. */
  private void drawRest(long round, int row, float[] out, int at) {
    int size = images.size();
    int start = size & ~3;
    if (start < size) {
      int[] words = new int[4];
      words(round, row, start, words);
      for (int i = start; i < size; i++) {
        out[at + i] = bit(images.pixels()[row * size + i], words[i - start]);
      }
    }
  }

  /** The words of pixels {@code pixel} to {@code pixel + 3}: images begin with a block each. */
  private void words(long round, int row, int pixel, int[] words) {
    long block = (long) row * Math.ceilDiv(images.size(), 4) + pixel / 4;
    CounterRng.words(seed, Purpose.BINARISE, round, part.stream, block, words);
  }

  /** 1 where the word is below its limit; the sign of the difference, since a branch costs more. */
  private static float bit(byte value, int word) {
    return (Integer.toUnsignedLong(word) - BELOW[Byte.toUnsignedInt(value)]) >>> 63;
  }
}
