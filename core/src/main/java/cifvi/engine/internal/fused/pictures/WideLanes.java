package cifvi.engine.internal.fused.pictures;

import cifvi.engine.internal.fused.memory.Lanes;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Eight or sixteen float32 numbers at a time, as the machine has them, for kernels in which lanes
 * never meet: what each of them computes has the same bits either way. See {@link Lanes} for what
 * else such kernels keep to.
 */
public final class WideLanes {
  public static final VectorSpecies<Float> SPECIES =
      FloatVector.SPECIES_PREFERRED.length() > Lanes.COUNT
          ? FloatVector.SPECIES_512
          : Lanes.SPECIES;
  public static final int COUNT = SPECIES.length();

  /** What numbers of columns are filled up to, whatever the machine. */
  public static final int MOST = 16;

  private WideLanes() {}

  /** The smallest multiple of {@link #MOST} from {@code n} on. */
  public static int roundUp(int n) {
    return (n + MOST - 1) & -MOST;
  }
}
