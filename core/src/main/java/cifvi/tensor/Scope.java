package cifvi.tensor;

import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;

/**
 * Native memory rule: a {@code PointerScope} surrounds every step and every evaluation chunk and
 * frees all tensors made inside it; only Java values leave. What must outlive its scope leaves
 * through {@link #keep}, and nowhere else.
 */
public final class Scope {
  private static final ScopeWatch WATCH = new ScopeWatch(Pointer::physicalBytes);

  private Scope() {}

  /**
   * Told by methods that are about to give tensors to their caller, who should have a scope for
   * them: one warning is logged where nobody does and memory keeps growing.
   */
  public static void givingTensors() {
    if (PointerScope.getInnerScope() == null) {
      WATCH.calledOutside();
    }
  }

  /**
   * Lets {@code pointer} survive the scope it was made in; its owner calls {@link #release} in the
   * end.
   */
  public static <P extends Pointer> P keep(P pointer) {
    pointer.retainReference();
    return pointer;
  }

  /** Frees what {@link #keep} kept. */
  public static void release(Pointer pointer) {
    pointer.releaseReference();
  }
}
