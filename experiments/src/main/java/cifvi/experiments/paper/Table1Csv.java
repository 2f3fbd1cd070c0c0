package cifvi.experiments.paper;

import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.paper.Table1.Cell;
import cifvi.vi.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Table 1 and the paired differences as CSV. */
public record Table1Csv(Table1 table, Differences differences) {
  /** One line a cell. */
  public String cells() {
    var lines = new ArrayList<String>();
    lines.add(
        "data,decoder,model,placement,nets,seeds,unfinished,log_likelihood,log_likelihood_se,bold,"
            + "log_likelihood_fixed,log_likelihood_fixed_se,bold_fixed,paper,paper_se,paper_bold,caveats");
    for (Column column : table.columns()) {
      for (Method method : table.rows()) {
        Cell fresh = table.cell(method, column, TestBinarisation.FRESH);
        Cell fixed = table.cell(method, column, TestBinarisation.FIXED);
        lines.add(
            String.join(
                ",",
                column.data().toString(),
                column.decoder().toString(),
                method.model().toString(),
                method.model().cif() ? method.placement().toString() : "",
                method.model() == ImageModel.CIF_MAF
                    ? method.nets().name().toLowerCase(Locale.ROOT)
                    : "",
                spaced(fresh.seeds()),
                Integer.toString(fresh.unfinished().size()),
                numbers(fresh.ours()),
                Boolean.toString(fresh.bold()),
                numbers(fixed.ours()),
                Boolean.toString(fixed.bold()),
                numbers(PaperTable1.value(method.model(), column)),
                Boolean.toString(PaperTable1.isBold(method.model(), column)),
                String.join("; ", fresh.caveats())));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  /** One line for each pair that can be compared. */
  public String differencesOfPairs() {
    var lines = new ArrayList<String>();
    lines.add("data,decoder,difference,seeds,importance_samples,images,mean,standard_error");
    for (Column column : table.columns()) {
      differences
          .of(column)
          .forEach(
              (pair, paired) ->
                  lines.add(
                      "%s,%s,\"%s\",%s,%d,%d,%s"
                          .formatted(
                              column.data(),
                              column.decoder(),
                              pair.label(),
                              spaced(paired.seeds()),
                              paired.samples(),
                              paired.difference().count(),
                              numbers(Optional.of(paired.difference())))));
    }
    return String.join("\n", lines) + "\n";
  }

  private static String numbers(Optional<Estimate> estimate) {
    return estimate
        .map(e -> e.mean() + "," + (Double.isNaN(e.standardError()) ? "" : e.standardError()))
        .orElse(",");
  }

  private static String spaced(List<Long> seeds) {
    return seeds.stream().map(Object::toString).collect(Collectors.joining(" "));
  }
}
