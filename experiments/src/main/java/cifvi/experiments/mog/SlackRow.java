package cifvi.experiments.mog;

import cifvi.vi.Moments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The slack L₁ - ELBO = E KL(q(u|z) ‖ r(u|z)) of one r, which lies between what {@code iwhvi:M} and
 * {@code eq22:M} are above the ELBO on the same z.
 *
 * @param r {@code trained} is the normal that q was trained with
 */
public record SlackRow(
    String run,
    long seed,
    String r,
    long inner,
    double elbo,
    double elboSe,
    double lower,
    double lowerSe,
    double upper,
    double upperSe) {
  private static final String FORMAT = "%-8s %4s  %20s  %20s  %20s";

  /** Of the bounds of a run: those with the most paths. */
  static SlackRow of(long seed, String r, List<BoundRow> bounds) {
    BoundRow lower = last(bounds, "iwhvi:");
    BoundRow upper =
        bounds.stream()
            .filter(row -> row.bound().equals(lower.bound().replace("iwhvi:", "eq22:")))
            .findFirst()
            .orElseThrow();
    BoundRow auxiliary =
        bounds.stream().filter(row -> row.bound().equals("iwhvi:0")).findFirst().orElseThrow();
    return new SlackRow(
        lower.run(),
        seed,
        r,
        Long.parseLong(lower.bound().substring("iwhvi:".length())),
        auxiliary.value(),
        auxiliary.valueSe(),
        lower.overFirst(),
        lower.overFirstSe(),
        upper.overFirst(),
        upper.overFirstSe());
  }

  private static BoundRow last(List<BoundRow> bounds, String prefix) {
    return bounds.stream()
        .filter(row -> row.bound().startsWith(prefix))
        .reduce((_, row) -> row)
        .orElseThrow();
  }

  /** As people read them, the mean over seeds after each r, where there are several. */
  public static List<String> text(List<SlackRow> rows) {
    var text = new ArrayList<String>();
    text.add(FORMAT.formatted("r", "seed", "ELBO", "slack at least", "at most"));
    for (String r : rows.stream().map(SlackRow::r).distinct().toList()) {
      List<SlackRow> those = rows.stream().filter(row -> row.r.equals(r)).toList();
      var lower = new Moments();
      var upper = new Moments();
      for (SlackRow row : those) {
        lower.add(row.lower);
        upper.add(row.upper);
        text.add(
            FORMAT.formatted(
                r,
                row.seed,
                text(row.elbo, row.elboSe),
                text(row.lower, row.lowerSe),
                text(row.upper, row.upperSe)));
      }
      if (those.size() > 1) {
        text.add(
            FORMAT.formatted(
                "",
                "mean",
                "",
                text(lower.mean(), lower.estimate().standardError()),
                text(upper.mean(), upper.estimate().standardError())));
      }
    }
    return text;
  }

  private static String text(double value, double error) {
    return String.format(Locale.ROOT, "%.5f ± %.5f", value, error);
  }
}
