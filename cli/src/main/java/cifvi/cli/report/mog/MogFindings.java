package cifvi.cli.report.mog;

import cifvi.cli.plot.Numerals;
import cifvi.experiments.mog.MogResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What came out, in plain words computed from the results. */
public record MogFindings(List<MogReportRun> runs, List<String> labels) {
  private static final double CLOSE = 2;
  private static final double LEAST_WORTH = 0.5;
  private static final double FAR_OFF = 0.1;
  private static final double MOST_ERRORS = 3;
  private static final String HEAVY_TAILS = "the weights are heavy-tailed.";

  /** What is compared, and which run did best. */
  public String overview() {
    String targets =
        runs.stream()
            .map(run -> Integer.toString(run.spec().components()))
            .distinct()
            .collect(Collectors.joining(" or "));
    String what =
        runs.size() == 1
            ? "One posterior was fitted to"
            : Numerals.word(runs.size()) + " posteriors were each fitted to";
    return what
        + " an equal mixture of "
        + targets
        + " Gaussians in the plane, which has as many separate modes. The target is normalised, so"
        + " the best possible ELBO and the true log Z are both 0; a posterior that covers only a"
        + " share of the modes evenly cannot do better than the logarithm of that share. "
        + comparison();
  }

  private record Finished(String label, MogResult result) {}

  private List<Finished> finished() {
    var finished = new ArrayList<Finished>();
    for (int i = 0; i < runs.size(); i++) {
      String label = labels.get(i);
      runs.get(i).result().ifPresent(result -> finished.add(new Finished(label, result)));
    }
    return finished;
  }

  private String comparison() {
    List<Finished> ranked =
        finished().stream()
            .sorted(Comparator.comparingDouble((Finished f) -> -f.result.marginalElboLower()))
            .toList();
    boolean comparable = runs.stream().map(run -> run.spec().components()).distinct().count() == 1;
    if (ranked.size() < 2 || !comparable) {
      return "";
    }
    MogResult best = ranked.get(0).result;
    MogResult next = ranked.get(1).result;
    double ahead = best.marginalElboLower() - next.marginalElbo();
    double error = Math.hypot(best.marginalElboSe(), next.marginalElboSe());
    return ahead > CLOSE * error
        ? (ranked.size() < runs.size() ? "Of the finished runs the closest is " : "Closest is ")
            + ranked.get(0).label
            + ": its marginal ELBO is "
            + Numerals.fixed(ahead, ahead < 0.1 ? 4 : 2)
            + " higher than that of "
            + ranked.get(1).label
            + "."
        : "The best two, "
            + ranked.get(0).label
            + " and "
            + ranked.get(1).label
            + ", cannot be told apart by their marginal ELBO.";
  }

  /** What one run did. */
  public String of(MogReportRun run) {
    return run.result()
        .map(result -> coverage(result) + " " + elbo(result) + " " + logZ(result))
        .orElseGet(() -> unfinished(run));
  }

  public static String unfinished(MogReportRun run) {
    return String.format(
        Locale.ROOT,
        "unfinished, after %,d of %,d steps: nothing is evaluated yet.",
        run.curve().done(),
        run.spec().steps());
  }

  /** What makes a run stand out among others. */
  public static List<String> oddities(MogReportRun run) {
    if (run.result().isEmpty()) {
      return List.of("unfinished: nothing is evaluated yet.");
    }
    MogResult r = run.result().get();
    var oddities = new ArrayList<String>();
    if (r.offModeMass() > FAR_OFF) {
      oddities.add("more than a tenth of the draws are near no mode.");
    }
    if (r.modesCovered() == r.components() && errors(r) > MOST_ERRORS) {
      oddities.add("log Z is too far from the true 0 for its error bar: " + HEAVY_TAILS);
    }
    return oddities;
  }

  /** How many standard errors log Z is from the true 0. */
  private static double errors(MogResult r) {
    return Math.abs(r.logZ()) / r.logZSe();
  }

  private static String coverage(MogResult r) {
    String which =
        r.modesCovered() == r.components()
            ? "covers all " + r.components() + " modes"
            : "covers " + r.modesCovered() + " of " + r.components() + " modes";
    return String.format(
        Locale.ROOT, "%s; %.1f %% of its draws are near none.", which, 100 * r.offModeMass());
  }

  private static String elbo(MogResult r) {
    String value =
        r.marginalElbo() == r.marginalElboLower()
            ? Numerals.withError(r.marginalElbo(), r.marginalElboSe())
            : "between "
                + Numerals.estimate(r.marginalElboLower())
                + " and "
                + Numerals.estimate(r.marginalElbo())
                + " (± "
                + Numerals.estimate(r.marginalElboSe())
                + ")";
    String worth =
        r.effectiveModes() < LEAST_WORTH
            ? ""
            : ", as good as covering " + Numerals.fixed(r.effectiveModes(), 2) + " modes perfectly";
    return "Its marginal ELBO is " + value + worth + ".";
  }

  private static String logZ(MogResult r) {
    String value = "log Z is estimated as " + Numerals.withError(r.logZ(), r.logZSe());
    if (r.modesCovered() == r.components()) {
      return value
          + String.format(Locale.ROOT, ", %.1f standard errors from the true 0", errors(r))
          + (errors(r) <= MOST_ERRORS ? "." : ": the error bar is too small, " + HEAVY_TAILS);
    }
    if (r.modesCovered() == 0) {
      return value + ".";
    }
    double logShare = Math.log((double) r.modesCovered() / r.components());
    if (Math.abs(r.logZ()) < Math.abs(r.logZ() - logShare)) {
      return value
          + ": modes that count as missed still get a few draws, whose large weights make up for it.";
    }
    return value
        + ": an estimate from its draws sees only what it covers, and the logarithm of "
        + r.modesCovered()
        + "/"
        + r.components()
        + " is "
        + Numerals.fixed(logShare, 4)
        + ".";
  }
}
