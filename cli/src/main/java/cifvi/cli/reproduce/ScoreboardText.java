package cifvi.cli.reproduce;

import cifvi.experiments.scoreboard.Score;
import cifvi.experiments.scoreboard.WorstErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The scoreboard as text for the terminal. */
record ScoreboardText(List<Score> scores) {
  private static final String FORMAT = "  %-42s %18s %18s %6s %6s %13s %13s %11s %8s  %s";

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(
        "Errors are those of the worst mean and standard deviation, in standard deviations of the");
    lines.add("reference, of the draws as they are and after importance resampling.");
    for (String posterior : scores.stream().map(Score::posterior).distinct().toList()) {
      List<Score> here = scores.stream().filter(s -> s.posterior().equals(posterior)).toList();
      Double logZ = here.getFirst().knownLogZ();
      lines.add("");
      lines.add(posterior + (logZ == null ? "" : ", log Z " + number("%.4f", logZ)));
      lines.add(
          FORMAT
              .formatted(
                  "", "ELBO", "log Z", "k-hat", "ESS", "errors", "resampled", "gradients", "s", "")
              .stripTrailing());
      here.forEach(score -> lines.add(line(score)));
    }
    return lines;
  }

  private static String line(Score s) {
    boolean kept = s.family() != null && !s.family().equals(s.method());
    String name = s.method() + (kept ? " (" + s.family() + ")" : "");
    return FORMAT
        .formatted(
            name + (s.seed() == null ? "" : ", seed " + s.seed()),
            measured(s.elbo(), s.elboSe()),
            measured(s.logZ(), s.logZSe()),
            number("%.2f", s.kHat()),
            s.effectiveShare() == null ? "" : number("%.0f %%", 100 * s.effectiveShare()),
            errors(s.drawn()),
            errors(s.resampled()),
            number("%,.0f", s.gradients()),
            number("%.1f", s.seconds()),
            s.verdict() == null ? "" : s.verdict())
        .stripTrailing();
  }

  private static String measured(@Nullable Double value, @Nullable Double error) {
    return value == null ? "" : number("%.3f", value) + " ± " + number("%.3f", error);
  }

  private static String errors(@Nullable WorstErrors errors) {
    return errors == null ? "" : number("%.3f", errors.mean()) + " " + number("%.3f", errors.sd());
  }

  private static String number(String format, @Nullable Double value) {
    return value == null || value.isNaN() ? "" : String.format(Locale.ROOT, format, value);
  }
}
