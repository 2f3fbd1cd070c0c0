package cifvi.diagnostics;

import java.util.Locale;

/** What to do with the draws of a fit. */
public enum Verdict {
  /** Use them as they are. */
  GOOD,
  /** Use them weighted, or resampled by their weights. */
  USABLE,
  /** Do not use them. */
  POOR;

  /** {@code good}, {@code usable} or {@code poor}, as in files. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For people. */
  public String words() {
    return this == USABLE ? "usable after resampling" : toString();
  }
}
