package cifvi.experiments.run;

import java.util.Locale;

/** Which parameters are evaluated: the last, or an exponential moving average of all. */
public enum Average {
  NONE,
  EMA;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
