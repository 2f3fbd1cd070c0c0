package cifvi.experiments.fit;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a fit said of itself, and what is true.
 *
 * @param verdict good, usable or poor
 * @param wideKHat of draws that reach further out
 * @param wideEss of the same
 * @param shift the largest by reweighting
 * @param missed modes that it noticed it misses
 * @param error the true one of its draws
 * @param resampledError the true one of draws resampled from them
 * @param calls of the density for the report
 */
public record VerdictRow(
    String target,
    int dimensions,
    String family,
    long steps,
    int starts,
    String verdict,
    @Nullable Double kHat,
    double ess,
    @Nullable Double marginalKHat,
    @Nullable Double wideKHat,
    @Nullable Double wideEss,
    @Nullable Double shift,
    long missed,
    @Nullable Double rHat,
    double error,
    double resampledError,
    long calls) {
  /** Below it draws are right, with what four thousand exact ones are off by in forty numbers. */
  private static final double RIGHT = 0.2;

  /** Below it nobody should say that they are not. */
  private static final double SURELY_RIGHT = 0.1;

  public static final List<String> HEADER =
      List.of(
          "target",
          "dimensions",
          "family",
          "steps",
          "starts",
          "verdict",
          "k_hat",
          "ess",
          "marginal_k_hat",
          "wide_k_hat",
          "wide_ess",
          "shift",
          "missed_modes",
          "r_hat",
          "error",
          "resampled_error",
          "calls",
          "judged");

  /** {@code right}, {@code too trusting} or {@code too cautious}. */
  public String judged() {
    return switch (verdict) {
      case "good" -> error < RIGHT ? "right" : "too trusting";
      case "usable" -> resampledError < RIGHT ? "right" : "too trusting";
      default -> Math.min(error, resampledError) < SURELY_RIGHT ? "too cautious" : "right";
    };
  }

  /** In the order of {@link #HEADER}. */
  public List<String> cells() {
    return Stream.concat(
            Stream.of(target, dimensions, family, steps == 0 ? "default" : steps, starts, verdict)
                .map(String::valueOf),
            Stream.concat(
                Arrays.asList(
                        kHat,
                        ess,
                        marginalKHat,
                        wideKHat,
                        wideEss,
                        shift,
                        (double) missed,
                        rHat,
                        error,
                        resampledError,
                        (double) calls)
                    .stream()
                    .map(VerdictRow::text),
                Stream.of(judged())))
        .toList();
  }

  private static String text(@Nullable Double value) {
    return value == null
        ? ""
        : value == Math.rint(value)
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, "%.3f", value);
  }
}
