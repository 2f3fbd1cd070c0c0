package cifvi.cli.report.images;

import cifvi.cli.plot.Numerals;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.run.EpochRow;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What came out of image runs, in plain words computed from the results. */
public record ImagesFindings(List<ImagesReportRun> runs, List<String> labels) {

  /** What is learnt, and which run did best. */
  public String overview() {
    String data =
        runs.stream()
            .map(run -> run.spec().data().title())
            .distinct()
            .collect(Collectors.joining(" or "));
    String what =
        runs.size() == 1 ? "One run learns" : Numerals.word(runs.size()) + " runs each learn";
    return what
        + " a decoder p(x|z) of binary "
        + data
        + " images together with a posterior q(z|x). What counts is log p(x) of images never"
        + " trained on, in nats an image: higher is better. The ELBO lies below it, by as much as"
        + " the posterior misses. "
        + PairedDifferences.of(runs, labels).sentence(runs.size());
  }

  /** What one run did. */
  public String of(ImagesReportRun run) {
    return run.result()
        .map(result -> likelihood(run, result) + " " + training(run, result))
        .orElseGet(() -> unfinished(run));
  }

  public static String unfinished(ImagesReportRun run) {
    String best =
        EpochRow.best(run.epochs())
            .map(row -> ", best validation bound " + Numerals.estimate(row.validElbo()) + " so far")
            .orElse("");
    return String.format(
        Locale.ROOT,
        "unfinished, after %,d of at most %,d epochs%s: nothing is tested yet.",
        run.epochs().size(),
        run.spec().epochs(),
        best);
  }

  /** What makes a run stand out among others. */
  public static List<String> oddities(ImagesReportRun run) {
    if (run.result().isEmpty()) {
      return List.of("unfinished: nothing is tested yet.");
    }
    ImagesResult r = run.result().get();
    if (r.brokeOffAtEpoch() != null) {
      return List.of("training broke off, its steps being no longer finite.");
    }
    return r.epochs() == r.bestEpoch()
        ? List.of("the last epoch was the best: more would likely help.")
        : List.of();
  }

  private static String likelihood(ImagesReportRun run, ImagesResult r) {
    String elbo = "ELBO " + Numerals.measured(r.elbo(), r.elboSe());
    if (r.logLikelihood() == null || r.logLikelihoodSe() == null) {
      return "test " + elbo + " on " + Numerals.whole(r.testImages()) + " images.";
    }
    return "test log p(x) "
        + Numerals.measured(r.logLikelihood(), r.logLikelihoodSe())
        + " from "
        + Numerals.whole(r.importanceSamples() == null ? 0 : r.importanceSamples())
        + " importance samples for each of "
        + Numerals.whole(r.testImages())
        + " images, "
        + elbo
        + run.gap()
            .map(gap -> ", a gap of " + Numerals.measured(gap.mean(), gap.standardError()))
            .orElse("")
        + ".";
  }

  private static String training(ImagesReportRun run, ImagesResult r) {
    if (r.brokeOffAtEpoch() != null) {
      return String.format(
          Locale.ROOT,
          "Training broke off in epoch %,d, its steps being no longer finite; epoch %,d with the"
              + " best validation bound, %s, was tested.",
          r.brokeOffAtEpoch(),
          r.bestEpoch(),
          Numerals.estimate(r.validElboBest()));
    }
    long after = r.epochs() - r.bestEpoch();
    if (r.epochs() < run.spec().epochs()) {
      return String.format(
          Locale.ROOT,
          "Training stopped early after %,d epochs, the last %,d of them without a better"
              + " validation bound than %s in epoch %,d, which was tested.",
          r.epochs(),
          after,
          Numerals.estimate(r.validElboBest()),
          r.bestEpoch());
    }
    return String.format(
        Locale.ROOT,
        "%s: the best, with validation bound %s, was %s.",
        r.epochs() == 1
            ? "One epoch was trained"
            : String.format(Locale.ROOT, "All %,d epochs were trained", r.epochs()),
        Numerals.estimate(r.validElboBest()),
        after == 0
            ? "the last, so that more would likely help"
            : String.format(Locale.ROOT, "epoch %,d", r.bestEpoch()));
  }
}
