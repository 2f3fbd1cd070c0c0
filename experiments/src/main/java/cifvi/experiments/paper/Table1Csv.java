package cifvi.experiments.paper;

import cifvi.experiments.files.Csv;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.paper.Table1.Cell;
import cifvi.vi.Estimate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Table 1 and the paired differences as CSV. */
public record Table1Csv(Table1 table, Differences differences) {
  private static final List<String> CELL_COLUMNS =
      List.of(
          "data",
          "decoder",
          "model",
          "placement",
          "nets",
          "seeds",
          "unfinished",
          "log_likelihood",
          "log_likelihood_se",
          "bold",
          "log_likelihood_fixed",
          "log_likelihood_fixed_se",
          "bold_fixed",
          "paper",
          "paper_se",
          "paper_bold",
          "caveats");

  private static final List<String> PAIR_COLUMNS =
      List.of(
          "data",
          "decoder",
          "difference",
          "seeds",
          "importance_samples",
          "images",
          "mean",
          "standard_error");

  /** One line a cell. */
  public String cells() {
    var lines = new StringBuilder(Csv.line(CELL_COLUMNS));
    for (Column column : table.columns()) {
      for (Method method : table.rows()) {
        lines.append(Csv.line(cell(method, column)));
      }
    }
    return lines.toString();
  }

  private Stream<?> cell(Method method, Column column) {
    Cell fresh = table.cell(method, column, TestBinarisation.FRESH);
    Cell fixed = table.cell(method, column, TestBinarisation.FIXED);
    return Stream.of(
            List.of(
                column.data(),
                column.decoder(),
                method.model(),
                method.model().cif() ? method.placement() : "",
                method.model() == ImageModel.CIF_MAF
                    ? method.nets().name().toLowerCase(Locale.ROOT)
                    : "",
                spaced(fresh.seeds()),
                fresh.unfinished().size()),
            numbers(fresh.ours()),
            List.of(fresh.bold()),
            numbers(fixed.ours()),
            List.of(fixed.bold()),
            numbers(PaperTable1.value(method.model(), column)),
            List.of(PaperTable1.isBold(method.model(), column), String.join("; ", fresh.caveats())))
        .flatMap(List::stream);
  }

  /** One line for each pair that can be compared. */
  public String differencesOfPairs() {
    var lines = new StringBuilder(Csv.line(PAIR_COLUMNS));
    for (Column column : table.columns()) {
      differences
          .of(column)
          .forEach((pair, paired) -> lines.append(Csv.line(difference(column, pair, paired))));
    }
    return lines.toString();
  }

  private static Stream<?> difference(
      Column column, Differences.Pair pair, PairedDifference paired) {
    return Stream.of(
            List.of(
                column.data(),
                column.decoder(),
                pair.label(),
                spaced(paired.seeds()),
                paired.samples(),
                paired.difference().count()),
            numbers(Optional.of(paired.difference())))
        .flatMap(List::stream);
  }

  static List<Object> numbers(Optional<Estimate> estimate) {
    return estimate
        .map(
            e ->
                List.<Object>of(e.mean(), Double.isNaN(e.standardError()) ? "" : e.standardError()))
        .orElse(List.of("", ""));
  }

  static String spaced(List<Long> seeds) {
    return seeds.stream().map(Object::toString).collect(Collectors.joining(" "));
  }
}
