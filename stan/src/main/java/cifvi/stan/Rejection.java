package cifvi.stan;

/** Stan has no density at a point, and says why; made often, so without a stack trace. */
final class Rejection extends RuntimeException {
  private static final long serialVersionUID = 1;

  Rejection(String words) {
    super(words, null, false, false);
  }

  /** Stan's own words, as reports have them. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return String.valueOf(getMessage());
  }
}
