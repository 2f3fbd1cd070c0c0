package cifvi.experiments.golden;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The outcome for one file.
 *
 * @param valueError largest relative error of a value
 * @param gradientError largest relative error of a gradient
 * @param compared number of tensors compared
 * @param reason why the file failed; null where it did not
 */
public record Verdict(
    String caseName,
    double valueError,
    double gradientError,
    int compared,
    @Nullable String reason) {
  public boolean ok() {
    return reason == null;
  }

  static Verdict failed(String caseName, String reason) {
    return new Verdict(caseName, Double.NaN, Double.NaN, 0, reason);
  }

  /**
   * {@code OK|FAIL case value-error gradient-error compared-tensors}, and the reason of a failure.
   */
  @Override
  public String toString() {
    String line =
        String.format(
            Locale.ROOT,
            "%-4s %-28s %.2e  %.2e  %d",
            ok() ? "OK" : "FAIL",
            caseName,
            valueError,
            gradientError,
            compared);
    return reason == null ? line : line + "  " + reason;
  }
}
