package cifvi.cli.kind;

import cifvi.experiments.fit.FitResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** A fit on a terminal: how good it is, and what it says of every number. */
final class FitTable {
  private static final int MOST_ROWS = 30;
  private static final int LEAST_WIDTH = "parameter".length();

  private FitTable() {}

  static void print(PrintWriter out, FitResult result) {
    out.printf(
        Locale.ROOT,
        "%s: %s in %d dimensions, %,d gradients, %.1f s%n",
        result.subject(),
        result.family(),
        result.dimensions(),
        result.gradients(),
        result.seconds());
    if (result.densityShare() != null && result.waitingShare() != null) {
      out.printf(
          Locale.ROOT,
          "of a step of %.2f ms: engine %.0f %%, density %.0f %%, waiting for threads %.0f %%%n",
          result.msPerStep(),
          100 * (1 - result.densityShare() - result.waitingShare()),
          100 * result.densityShare(),
          100 * result.waitingShare());
    }
    out.printf(
        Locale.ROOT,
        "ELBO %.4f ± %.4f, log evidence %.4f ± %.4f, effective sample size %,.0f of %,d draws%n",
        result.elbo(),
        result.elboSe(),
        result.logZ(),
        result.logZSe(),
        result.ess(),
        result.draws());
    if (result.trust() != null) {
      TrustText.print(out, result.trust());
    }
    if (result.calibration() != null) {
      TrustText.print(out, result.calibration());
    }
    List<FitResult.Summary> shown = result.summary().stream().limit(MOST_ROWS).toList();
    int width = shown.stream().mapToInt(row -> row.name().length()).reduce(LEAST_WIDTH, Math::max);
    String format = "%-" + width + "s %11s %11s %11s %11s %11s%n";
    out.printf(Locale.ROOT, format, "parameter", "mean", "sd", "5 %", "50 %", "95 %");
    for (FitResult.Summary row : shown) {
      out.printf(
          Locale.ROOT,
          format,
          row.name(),
          text(row.mean()),
          text(row.sd()),
          text(row.q05()),
          text(row.q50()),
          text(row.q95()));
    }
    if (shown.size() < result.summary().size()) {
      out.printf(
          Locale.ROOT, "and %d more in result.json%n", result.summary().size() - shown.size());
    }
    out.flush();
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }
}
