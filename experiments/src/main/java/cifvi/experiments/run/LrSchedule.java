package cifvi.experiments.run;

import cifvi.vi.Schedule;
import java.util.Locale;

/** How the learning rate goes on: it stays, or falls to zero along a cosine. */
public enum LrSchedule {
  CONSTANT,
  COSINE;

  /** From this rate on, over so many steps. */
  public Schedule over(double rate, long steps) {
    return switch (this) {
      case CONSTANT -> Schedule.constant(rate);
      case COSINE -> Schedule.cosine(rate, steps);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
