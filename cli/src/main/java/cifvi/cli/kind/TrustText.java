package cifvi.cli.kind;

import cifvi.diagnostics.Calibration;
import cifvi.diagnostics.Trust;
import cifvi.diagnostics.Verdict;
import cifvi.vi.Estimate;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Whether to believe a fit, on a terminal: the verdict, why, and what to try next. */
final class TrustText {
  private TrustText() {}

  static void print(PrintWriter out, Trust trust) {
    out.printf("verdict: %s%n", trust.verdict().words());
    trust.why().forEach(fact -> out.printf("  %s%n", fact));
    Trust.Bracket bracket = trust.bracket();
    if (bracket != null) {
      out.printf(
          Locale.ROOT,
          "  marginal ELBO between %.4f and %.4f, so that r(u|z) costs %.4f to %.4f%s%n",
          bracket.lower(),
          bracket.upper(),
          bracket.slackLower(),
          bracket.slackUpper(),
          worth(trust.indexWorth()));
    }
    if (!trust.next().isEmpty()) {
      out.printf("  try: %s%n", String.join("; ", trust.next()));
    }
    if (trust.verdict() == Verdict.USABLE) {
      out.println("  resample with: cifvi sample DIR --resampled --out draws.csv");
    }
  }

  static void print(PrintWriter out, Calibration calibration) {
    Calibration.Ranks worst = calibration.worst();
    out.printf(
        Locale.ROOT,
        "calibration: ranks of %,d simulated data sets %s; least uniform is %s, p = %.2g of %d numbers%n",
        calibration.simulations(),
        calibration.calibrated() ? "look uniform" : "are NOT uniform",
        worst.name(),
        worst.p(),
        calibration.numbers().size());
  }

  private static String worth(List<Estimate> worth) {
    List<String> numbers =
        worth.stream().map(w -> String.format(Locale.ROOT, "%.2f", w.mean())).toList();
    return "; the index is worth " + String.join(", ", numbers) + " layer by layer";
  }
}
