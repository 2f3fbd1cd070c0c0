package cifvi.experiments.scoreboard;

import cifvi.experiments.files.Csv;
import cifvi.experiments.fit.FitResult;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.target.KnownAnswers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one method did on one posterior; null where it does not tell, or nothing is known.
 *
 * @param method the family that was asked for, or whose method it is: {@code NUTS, defaults}
 * @param family that was kept, by {@code auto} for instance
 * @param drawn errors of the draws as they are
 * @param resampled errors of the draws after importance resampling
 * @param gradients calls of the density with its gradient
 */
public record Score(
    String posterior,
    String method,
    @Nullable Long seed,
    @Nullable String family,
    @Nullable Double elbo,
    @Nullable Double elboSe,
    @Nullable Double logZ,
    @Nullable Double logZSe,
    @Nullable Double knownLogZ,
    @Nullable Double kHat,
    @Nullable Double effectiveShare,
    @Nullable WorstErrors drawn,
    @Nullable WorstErrors resampled,
    @Nullable Double gradients,
    double seconds,
    @Nullable String verdict) {
  private static final List<String> COLUMNS =
      List.of(
          "posterior",
          "method",
          "seed",
          "family",
          "elbo",
          "elbo_se",
          "log_z",
          "log_z_se",
          "known_log_z",
          "k_hat",
          "effective_share",
          "mean_error",
          "sd_error",
          "mean_error_resampled",
          "sd_error_resampled",
          "gradients",
          "seconds",
          "verdict");

  /** Of a finished fit with {@code draws.csv}. */
  public static Score of(
      String posterior, String method, RunDirectory run, Optional<KnownAnswers> known) {
    FitResult result = FitResult.read(run);
    WorstErrors drawn = null;
    WorstErrors resampled = null;
    if (known.isPresent() && !known.get().moments().isEmpty()) {
      var columns = DrawnColumns.read(run.file("draws.csv"));
      drawn = errors(known.get(), columns, columns.equalWeights());
      resampled = errors(known.get(), columns, columns.importanceWeights());
    }
    return new Score(
        posterior,
        method,
        result.seed(),
        result.family(),
        result.elbo(),
        result.elboSe(),
        result.logZ(),
        result.logZSe(),
        known.filter(k -> k.logZ().isPresent()).map(k -> k.logZ().getAsDouble()).orElse(null),
        result.kHat(),
        result.ess() / result.draws(),
        drawn,
        resampled,
        (double) result.gradients(),
        result.seconds(),
        result.verdict());
  }

  private static @Nullable WorstErrors errors(
      KnownAnswers known, DrawnColumns columns, double[] weights) {
    return WorstErrors.of(known, name -> columns.has(name) ? columns.moments(name, weights) : null);
  }

  /** One line a score. */
  public static String csv(List<Score> scores) {
    var text = new StringBuilder(Csv.line(COLUMNS));
    scores.forEach(score -> text.append(Csv.line(score.cells())));
    return text.toString();
  }

  private List<?> cells() {
    return Arrays.asList(
        posterior,
        method,
        seed,
        family,
        elbo,
        elboSe,
        logZ,
        logZSe,
        knownLogZ,
        kHat,
        effectiveShare,
        drawn == null ? null : drawn.mean(),
        drawn == null ? null : drawn.sd(),
        resampled == null ? null : resampled.mean(),
        resampled == null ? null : resampled.sd(),
        gradients,
        seconds,
        verdict);
  }
}
