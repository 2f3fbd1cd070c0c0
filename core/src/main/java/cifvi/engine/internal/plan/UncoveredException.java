package cifvi.engine.internal.plan;

import java.util.Optional;

/** Thrown for a part of a model that a back end can neither run nor leave to libtorch. */
public final class UncoveredException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UncoveredException(String why) {
    super(why);
  }

  /** Throws where there is a reason. */
  public static void throwIf(Optional<String> why) {
    why.ifPresent(
        reason -> {
          throw new UncoveredException(reason);
        });
  }
}
