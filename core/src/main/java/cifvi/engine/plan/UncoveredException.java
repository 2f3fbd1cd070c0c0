package cifvi.engine.plan;

/** Thrown for a part of a model that a back end can neither run nor leave to libtorch. */
public final class UncoveredException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UncoveredException(String why) {
    super(why);
  }
}
