package cifvi.experiments.images;

import java.util.Locale;

/**
 * Whether every validation has the same binarisation and the same noise of z, as in the released
 * code, so that epochs differ by their parameters alone; or each its own.
 */
public enum ValidationNoise {
  FIXED,
  FRESH;

  /** Which draws the validation after {@code epoch} epochs has. */
  long round(long epoch) {
    return this == FIXED ? 1 : epoch;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
