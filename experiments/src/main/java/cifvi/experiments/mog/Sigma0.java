package cifvi.experiments.mog;

import cifvi.experiments.files.UserException;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The base's standard deviation: a number, or {@code learn} for one learnt in each dimension,
 * starting from 1.
 */
public record Sigma0(double start, boolean learn) {
  /** Beyond these, densities in float32 overflow before a step is done. */
  private static final double LEAST = 1e-6;

  private static final double MOST = 1e6;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Sigma0 read(Object numberOrText) {
    return parse(numberOrText.toString());
  }

  /** Reads a number or {@code learn}. */
  public static Sigma0 parse(String text) {
    if (text.equals("learn")) {
      return new Sigma0(1, true);
    }
    try {
      double value = Double.parseDouble(text);
      if (value >= LEAST && value <= MOST) {
        return new Sigma0(value, false);
      }
    } catch (NumberFormatException _) {
      // the same answer as for a number that does not fit
    }
    throw new UserException("--sigma0: expected learn or a number from 1e-6 to 1e6, got " + text);
  }

  /** In files: {@code learn}, or the number. */
  @JsonValue
  Object json() {
    return learn ? "learn" : (Object) start;
  }

  /** {@code learn}, or the number as people write it. */
  @Override
  public String toString() {
    if (learn) {
      return "learn";
    }
    return start == Math.rint(start) && start < 1e9
        ? Long.toString((long) start)
        : Double.toString(start);
  }
}
