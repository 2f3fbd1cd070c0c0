package cifvi.engine.fused;

import static cifvi.engine.fused.Tape.STRIDE;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.nn.Images;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.pytorch.Tensor;

/**
 * Two pictures on the tape with a border of zeros, a column for every pixel: one that networks of w
 * and x paint for themselves, and behind it the observed one.
 *
 * @param at place of the first
 */
record Planes(int at) {
  /** Side of a picture with its border. */
  static final int SIDE = Images.SIDE + 2 * Images.PADDING;

  private static final int SIZE = SIDE * SIDE * STRIDE;

  static Planes of(Layout layout) {
    return new Planes(layout.rows(2 * SIDE * SIDE));
  }

  /** Place of the observed picture. */
  int observed() {
    return at + SIZE;
  }

  /** Place of a pixel, counted without the border, relative to its picture. */
  static int pixel(int y, int x) {
    return ((y + Images.PADDING) * SIDE + x + Images.PADDING) * STRIDE;
  }

  /** Puts the rows of x on their tapes. */
  void write(Observation x, Batch batch) {
    if (!(x instanceof Observation.Batch(Tensor images))) {
      throw new IllegalArgumentException("x: expected a batch of images, got no observation");
    }
    Tensor rows = images.contiguous();
    MemorySegment memory = FlatParameters.memory(rows);
    for (Tape tape : batch.tapes()) {
      for (int i = 0; i < tape.rows; i++) {
        long row = (long) (tape.firstRow() + i) * Images.PIXELS;
        write(memory, row, tape.values, observed() + i);
      }
    }
  }

  private static void write(MemorySegment memory, long row, float[] values, int to) {
    long next = row;
    for (int y = 0; y < Images.SIDE; y++) {
      for (int x = 0; x < Images.SIDE; x++) {
        values[to + pixel(y, x)] = memory.getAtIndex(ValueLayout.JAVA_FLOAT, next++);
      }
    }
  }
}
