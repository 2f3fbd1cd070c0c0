package cifvi.cli.report.images;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Html;
import cifvi.cli.report.ResultTable;
import cifvi.experiments.images.ImagesResult;
import cifvi.vi.Estimate;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The table of image runs. */
public final class ImagesResults {
  private static final List<String> NUMBERS =
      List.of(
          "validation bound",
          "test ELBO",
          "log p(x)",
          "log p(x), fixed",
          "gap",
          "parameters",
          "images/s",
          "epochs",
          "seconds");
  private static final String NONE = "–";

  private ImagesResults() {}

  public static ResultTable table(List<ImagesReportRun> runs, List<String> labels) {
    return new ResultTable(
        "Nats an image; ± is one standard error over images.",
        NUMBERS,
        IntStream.range(0, runs.size()).mapToObj(i -> row(runs.get(i), i, labels.get(i))).toList());
  }

  private static ResultTable.Row row(ImagesReportRun run, int number, String label) {
    return new ResultTable.Row(
        number,
        label,
        run.result().map(result -> numbers(run, result)).orElse(List.of()),
        ImagesFindings.unfinished(run));
  }

  private static List<String> numbers(ImagesReportRun run, ImagesResult r) {
    return List.of(
        Numerals.fixed(r.validElboBest(), 2) + " " + Html.text("small", epoch(r)),
        withError(r.elbo(), r.elboSe()),
        withError(r.logLikelihood(), r.logLikelihoodSe()),
        withError(r.logLikelihoodFixed(), r.logLikelihoodFixedSe()),
        run.gap().map(ImagesResults::withError).orElse(NONE),
        Numerals.whole(r.parameters()),
        Numerals.fixed(1e3 * run.spec().batch() / r.msPerStep(), 0),
        Numerals.whole(r.epochs()),
        Numerals.fixed(r.seconds(), 0));
  }

  private static String epoch(ImagesResult r) {
    String best = "epoch " + r.bestEpoch();
    return r.brokeOffAtEpoch() == null ? best : best + ", broke off in " + r.brokeOffAtEpoch();
  }

  public static String withError(Estimate estimate) {
    return withError(estimate.mean(), estimate.standardError());
  }

  private static String withError(@Nullable Double value, @Nullable Double error) {
    if (value == null || error == null) {
      return NONE;
    }
    int decimals = Numerals.decimals(error);
    return ResultTable.withError(Numerals.fixed(value, decimals), Numerals.fixed(error, decimals));
  }
}
