package cifvi.engine.fused;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Eight float32 numbers at a time, whatever the machine could do, so that results have the same
 * bits on all of them.
 *
 * <p>Kernels call the vector API itself and not through helpers: past some size of a method the
 * compiler inlines nothing else. Two rules keep the bits the same before and after the compiler has
 * come round to a kernel: nothing but add, sub, mul, fma, div, sqrt, comparisons and bit operations
 * on lanes, and no reduction across lanes but {@link #sum}, whose order is fixed.
 */
final class Lanes {
  static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_256;
  static final int COUNT = SPECIES.length();

  private Lanes() {}

  /** The smallest multiple of {@link #COUNT} from {@code n} on. */
  static int roundUp(int n) {
    return (n + COUNT - 1) & -COUNT;
  }

  /** The sum of the lanes of v, by way of the {@link #COUNT} elements of {@code buffer}. */
  static float sum(FloatVector v, float[] buffer) {
    v.intoArray(buffer, 0);
    return ((buffer[0] + buffer[4]) + (buffer[1] + buffer[5]))
        + ((buffer[2] + buffer[6]) + (buffer[3] + buffer[7]));
  }
}
