package cifvi.engine.internal.fused.memory;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.nn.Images;
import java.lang.foreign.MemorySegment;
import org.bytedeco.pytorch.Tensor;

/**
 * Two images on the tape with a border of zeros, a column for every pixel: one that networks of w
 * and x make for themselves, and behind it the observed one.
 *
 * @param at place of the first
 * @param pixels place for the images of a block in scratch memory
 */
public record Planes(int at, int pixels) {
  /** Side of an image with its border. */
  public static final int SIDE = Images.SIDE + 2 * Images.PADDING;

  private static final int SIZE = SIDE * SIDE * STRIDE;

  public static Planes of(Layout layout) {
    int pixels = layout.kernelScratch().rows(Images.PIXELS);
    return new Planes(layout.rows(2 * SIDE * SIDE), pixels);
  }

  /** Place of the observed image. */
  public int observed() {
    return at + SIZE;
  }

  /** Place of a pixel, counted without the border, relative to its image. */
  public static int pixel(int y, int x) {
    return ((y + Images.PADDING) * SIDE + x + Images.PADDING) * STRIDE;
  }

  /** The images of x one after the other, as long as the surrounding scope is open. */
  public static MemorySegment images(Observation x) {
    if (!(x instanceof Observation.Batch(Tensor images))) {
      throw new IllegalArgumentException("x: expected a batch of images, got no observation");
    }
    return FlatParameters.memory(images.contiguous());
  }

  /** Puts the image of every row on the tape. */
  public void write(MemorySegment images, Tape tape) {
    long first = tape.firstImage() * Images.PIXELS * Float.BYTES;
    int count = tape.images() * Images.PIXELS;
    MemorySegment.copy(images, JAVA_FLOAT, first, tape.scratch, pixels, count);
    for (int y = 0; y < Images.SIDE; y++) {
      for (int x = 0; x < Images.SIDE; x++) {
        int to = observed() + pixel(y, x);
        int from = pixels + y * Images.SIDE + x;
        for (int i = 0; i < tape.rows; i++) {
          tape.values[to + i] = tape.scratch[from + tape.image[i] * Images.PIXELS];
        }
      }
    }
  }

  /**
   * Copies each observed image of the block once to the rows of the other plane, and the last one
   * to what is left of their last vector.
   */
  public void gather(Tape tape) {
    int images = tape.images();
    int padded = Lanes.roundUp(images);
    for (int p = 0; p < Images.PIXELS; p++) {
      int from = observed() + pixel(p / Images.SIDE, p % Images.SIDE);
      int to = from - SIZE;
      for (int j = 0; j < padded; j++) {
        tape.values[to + j] = tape.values[from + tape.firstShown[Math.min(j, images - 1)]];
      }
    }
  }
}
