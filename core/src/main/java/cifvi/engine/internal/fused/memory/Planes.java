package cifvi.engine.internal.fused.memory;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.nn.Images;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.pytorch.Tensor;

/**
 * Two images on the tape with a border of zeros, a column for every pixel: one that networks of w
 * and x make for themselves, and behind it the observed one.
 *
 * @param at place of the first
 */
public record Planes(int at) {
  /** Side of an image with its border. */
  public static final int SIDE = Images.SIDE + 2 * Images.PADDING;

  private static final int SIZE = SIDE * SIDE * STRIDE;

  public static Planes of(Layout layout) {
    return new Planes(layout.rows(2 * SIDE * SIDE));
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
    long first = tape.firstImage() * Images.PIXELS;
    for (int p = 0; p < Images.PIXELS; p++) {
      int at = observed() + pixel(p / Images.SIDE, p % Images.SIDE);
      for (int i = 0; i < tape.rows; i++) {
        long from = first + (long) tape.image[i] * Images.PIXELS + p;
        tape.values[at + i] = images.getAtIndex(ValueLayout.JAVA_FLOAT, from);
      }
    }
  }

  /** Copies each observed image of the block once to the rows of the other plane. */
  public void gather(Tape tape) {
    for (int p = 0; p < Images.PIXELS; p++) {
      int from = observed() + pixel(p / Images.SIDE, p % Images.SIDE);
      for (int i = tape.rows - 1; i >= 0; i--) {
        tape.values[from - SIZE + tape.image[i]] = tape.values[from + i];
      }
    }
  }
}
