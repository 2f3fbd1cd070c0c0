package cifvi.engine.internal.fused.memory;

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
public final class Lanes {
  public static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_256;
  public static final int COUNT = SPECIES.length();

  private Lanes() {}

  /** The smallest multiple of {@link #COUNT} from {@code n} on. */
  public static int roundUp(int n) {
    return (n + COUNT - 1) & -COUNT;
  }

  /**
   * The sum of the lanes of a vector that was written to {@code v} at {@code at}. It takes no
   * vector: the compiler does not always inline this call, and would then make an object of it.
   */
  public static float sum(float[] v, int at) {
    return ((v[at] + v[at + 4]) + (v[at + 1] + v[at + 5]))
        + ((v[at + 2] + v[at + 6]) + (v[at + 3] + v[at + 7]));
  }
}
