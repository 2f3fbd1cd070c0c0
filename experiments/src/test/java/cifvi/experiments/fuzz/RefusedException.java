package cifvi.experiments.fuzz;

/** A file was refused the way its reader refuses files. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;

  private final String words;

  /** Made of what the reader threw, which says file and reason. */
  public RefusedException(Exception cause) {
    this("", cause);
  }

  /**
   * Likewise where it says the reason alone.
   *
   * @param before what a command puts before it
   */
  public RefusedException(String before, Exception cause) {
    super(cause);
    String reason = cause.getMessage();
    if (reason == null || reason.isBlank()) {
      throw new AssertionError("refused without a reason", cause);
    }
    this.words = before + reason;
  }

  String words() {
    return words;
  }
}
