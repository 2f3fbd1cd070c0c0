package cifvi.tensor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;

/**
 * Constants for libtorch, made once: a new {@code Scalar} costs a microsecond and a native
 * allocation.
 */
public final class Scalars {
  private static final Map<Double, Scalar> CACHE = new ConcurrentHashMap<>();
  private static final Map<Double, ScalarOptional> OPTIONALS = new ConcurrentHashMap<>();

  private Scalars() {}

  /**
   * The constant {@code value}; for values from a small fixed set only, since none is ever freed.
   */
  public static Scalar of(double value) {
    return CACHE.computeIfAbsent(value, v -> Scope.keep(new Scalar(v)));
  }

  /** The constant {@code value} as an argument that may be absent. */
  public static ScalarOptional optional(double value) {
    return OPTIONALS.computeIfAbsent(value, v -> Scope.keep(new ScalarOptional(of(v))));
  }
}
