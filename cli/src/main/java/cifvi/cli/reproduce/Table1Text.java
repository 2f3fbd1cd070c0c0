package cifvi.cli.reproduce;

import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.paper.Column;
import cifvi.experiments.paper.Differences;
import cifvi.experiments.paper.Differences.Pair;
import cifvi.experiments.paper.Method;
import cifvi.experiments.paper.PairedDifference;
import cifvi.experiments.paper.PaperTable1;
import cifvi.experiments.paper.Table1;
import cifvi.experiments.paper.Table1.Cell;
import cifvi.experiments.paper.Table1Beside;
import cifvi.vi.Estimate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Table 1 as text for the terminal. */
public record Table1Text(Table1 table, Differences differences) {
  private static final String BESIDE = "  %-44s %16s %16s %16s   %s";

  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(
        "Table 1: test log-likelihood, mean ± standard error over seeds; * is bold: as near to");
    lines.add("the best as both standard errors together. The paper's has three seeds.");
    for (Column column : table.columns()) {
      lines.add("");
      lines.add(column.label());
      lines.add(row("", "ours", "paper", ""));
      for (Method method : table.rows()) {
        Cell cell = table.cell(method, column, TestBinarisation.FRESH);
        Optional<Estimate> paper = PaperTable1.value(method.model(), column);
        boolean paperBold = PaperTable1.isBold(method.model(), column);
        lines.add(
            row(
                method.label(),
                text(cell.ours(), cell.bold()),
                text(paper, paperBold),
                notes(cell)));
      }
      lines.addAll(fixed(column));
    }
    return lines;
  }

  /** What the fixed binarisation tells; nothing where no run has it. */
  private List<String> fixed(Column column) {
    var lines = new ArrayList<String>();
    for (Method method : table.rows()) {
      Cell cell = table.cell(method, column, TestBinarisation.FIXED);
      if (cell.ours().isPresent()) {
        lines.add(row(method.label(), text(cell.ours(), cell.bold()), "", notes(cell)));
      }
    }
    if (!lines.isEmpty()) {
      lines.addFirst("  binarised once, the same for every model:");
    }
    var paired = differences.of(column);
    if (!paired.isEmpty()) {
      lines.add("  paired differences over these images, ± standard error over images:");
      paired.forEach((pair, difference) -> lines.add(difference(pair, difference)));
    }
    return lines;
  }

  /** What comes of comparing with the runs of another folder. */
  static List<String> beside(Table1Beside both, Path folder) {
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add("Beside the runs in " + folder + "; differences are over the same binary images,");
    lines.add("± the standard error over seeds, in brackets that over images.");
    lines.add(BESIDE.formatted("", "ours", "beside", "paper", "ours - beside").stripTrailing());
    for (Table1Beside.Line line : both.lines()) {
      String name = line.column().label() + ", " + line.method().label();
      lines.add(
          BESIDE
              .formatted(
                  name,
                  text(line.ours(), false),
                  text(line.other(), false),
                  text(line.paper(), false),
                  difference(line))
              .stripTrailing());
    }
    return lines;
  }

  private static String difference(Table1Beside.Line line) {
    return line.difference()
        .map(
            d ->
                String.format(Locale.ROOT, "%+.2f", d.mean())
                    + error(" ± %.2f", d)
                    + line.byImage().map(found -> error(" (%.2f)", found.difference())).orElse("")
                    + ", "
                    + seeds(line.seeds()))
        .orElse("");
  }

  /** Nothing for a single number. */
  private static String error(String format, Estimate e) {
    return Double.isNaN(e.standardError())
        ? ""
        : String.format(Locale.ROOT, format, e.standardError());
  }

  private static String difference(Pair pair, PairedDifference paired) {
    return String.format(
        Locale.ROOT,
        "  %-50s %+8.3f ± %.3f   %s, S = %d",
        pair.label(),
        paired.difference().mean(),
        paired.difference().standardError(),
        seeds(paired.seeds()),
        paired.samples());
  }

  private static String row(String name, String ours, String paper, String notes) {
    return "  %-26s %18s  %18s   %s".formatted(name, ours, paper, notes).stripTrailing();
  }

  private static String text(Optional<Estimate> estimate, boolean bold) {
    return estimate
        .map(
            e ->
                (bold ? "* " : "")
                    + String.format(Locale.ROOT, "%.2f", e.mean())
                    + (Double.isNaN(e.standardError())
                        ? "       "
                        : String.format(Locale.ROOT, " ± %.2f", e.standardError())))
        .orElse("–       ");
  }

  private static String notes(Cell cell) {
    var notes = new ArrayList<String>();
    if (!cell.runs().isEmpty()) {
      notes.add(seeds(cell.seeds()));
    }
    notes.addAll(cell.caveats());
    if (!cell.unfinished().isEmpty()) {
      notes.add(cell.unfinished().size() + " unfinished");
    }
    return notes.isEmpty() ? "missing" : String.join(", ", notes);
  }

  private static String seeds(List<Long> seeds) {
    String list = seeds.stream().map(Object::toString).collect(Collectors.joining(" "));
    return (seeds.size() == 1 ? "seed " : "seeds ") + list;
  }
}
