package cifvi.cli.report.images;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Html;
import cifvi.cli.report.ResultTable;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.images.Likelihoods;
import cifvi.experiments.models.Decoder;
import cifvi.vi.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * How far runs are behind the best one, image by image on the binarisation that all share.
 *
 * @param groups of runs that can be compared, the best run of each first
 */
public record PairedDifferences(List<List<Compared>> groups) {
  private static final double CLOSE = 2;

  /**
   * One run with the log-likelihoods of its test images.
   *
   * @param run its number on the page
   */
  public record Compared(int run, String label, List<ImageRow> rows) {
    private double mean() {
      return rows.stream().mapToDouble(ImageRow::logLikelihood).average().orElseThrow();
    }

    private Estimate ahead(Compared other) {
      return Likelihoods.difference(rows, other.rows);
    }
  }

  /** What runs must share to be compared. */
  private record Shared(DataSet data, Decoder decoder, int samples, int images) {}

  public static PairedDifferences of(List<ImagesReportRun> runs, List<String> labels) {
    var groups = new LinkedHashMap<Shared, List<Compared>>();
    for (int i = 0; i < runs.size(); i++) {
      ImagesSpec spec = runs.get(i).spec();
      Likelihoods likelihoods = runs.get(i).likelihoods();
      for (int samples : likelihoods.samples(TestBinarisation.FIXED)) {
        var rows = likelihoods.read(new Likelihoods.Key(TestBinarisation.FIXED, samples, 0));
        groups
            .computeIfAbsent(
                new Shared(spec.data(), spec.decoder(), samples, rows.size()),
                _ -> new ArrayList<>())
            .add(new Compared(i, labels.get(i), rows));
      }
    }
    return new PairedDifferences(
        groups.entrySet().stream()
            .filter(group -> group.getKey().images > 1 && group.getValue().size() > 1)
            .map(group -> ranked(group.getValue()))
            .toList());
  }

  private static List<Compared> ranked(List<Compared> group) {
    return group.stream().sorted(Comparator.comparingDouble(one -> -one.mean())).toList();
  }

  /** Which of {@code all} runs is best, where that can be told. */
  public String sentence(int all) {
    if (groups.size() != 1) {
      return "";
    }
    Compared best = groups.getFirst().get(0);
    Compared next = groups.getFirst().get(1);
    Estimate ahead = best.ahead(next);
    return ahead.mean() > CLOSE * ahead.standardError()
        ? (groups.getFirst().size() < all
                ? "Of those that can be compared the best is "
                : "Best is ")
            + best.label
            + ": image by image its log p(x) is "
            + Numerals.measured(ahead.mean(), ahead.standardError())
            + " higher than that of "
            + next.label
            + "."
        : "The best two, " + best.label + " and " + next.label + ", cannot be told apart.";
  }

  /** A table a group; nothing where no runs can be compared. */
  public String html() {
    return Html.join(groups.stream().map(PairedDifferences::table));
  }

  private static String table(List<Compared> group) {
    Compared best = group.getFirst();
    var table =
        new ResultTable(
            "Means over the same "
                + Numerals.whole(best.rows.size())
                + " binary images; ± is the standard error of the differences.",
            List.of("log p(x), fixed", "behind the best"),
            group.stream().map(one -> row(one, best)).toList());
    return Html.element("div class=\"scroll narrow\" tabindex=\"0\"", table.html());
  }

  private static ResultTable.Row row(Compared one, Compared best) {
    Estimate behind = best.ahead(one);
    String difference = one.run == best.run ? "–" : ImagesResults.withError(behind);
    return new ResultTable.Row(
        one.run, one.label, List.of(Numerals.estimate(one.mean()), difference), "");
  }
}
