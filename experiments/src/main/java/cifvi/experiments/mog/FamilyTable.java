package cifvi.experiments.mog;

import cifvi.experiments.files.Csv;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The lines of a {@link FamilyComparison} with what their runs came to.
 *
 * @param results of every run
 */
public record FamilyTable(
    List<FamilyComparison.Row> rows,
    List<FamilyComparison.Timing> timings,
    Map<MogSpec, MogResult> results) {
  private static final String FORMAT = "%-12s %2s  %-8s %7s %8s %12s %10s  %16s  %16s  %s";

  /** Of one line, over its seeds. */
  private record Line(
      FamilyComparison.Row row,
      double ms,
      long parameters,
      Estimate marginal,
      Estimate auxiliary,
      double lower,
      String modes) {
    double millions() {
      return row.firstSeed().steps() * (double) row.firstSeed().evaluations() / 1e6;
    }
  }

  /** One run, what the figure shows of a line: the one in the middle. */
  public MogSpec middle(FamilyComparison.Row row) {
    var all = row.runs().stream().map(this::result).toList();
    return row.runs().get(all.indexOf(MogGrid.averageCase(all)));
  }

  /** The marginal ELBO of a line. */
  public Estimate marginal(FamilyComparison.Row row) {
    return over(row, MogResult::marginalElbo);
  }

  public String csv() {
    var text =
        new StringBuilder(
            Csv.line(
                List.of(
                    "equal",
                    "components",
                    "model",
                    "steps",
                    "ms_per_step",
                    "evaluations",
                    "parameters",
                    "seeds",
                    "marginal_elbo",
                    "marginal_elbo_se",
                    "marginal_elbo_lower",
                    "elbo",
                    "elbo_se",
                    "modes_covered")));
    for (Line line : lines()) {
      MogSpec spec = line.row.firstSeed();
      text.append(
          Csv.line(
              List.of(
                  line.row.equal(),
                  spec.components(),
                  spec.model(),
                  spec.steps(),
                  line.ms,
                  spec.steps() * spec.evaluations(),
                  line.parameters,
                  line.row.runs().size(),
                  line.marginal.mean(),
                  line.marginal.standardError(),
                  line.lower,
                  line.auxiliary.mean(),
                  line.auxiliary.standardError(),
                  line.modes)));
    }
    return text.toString();
  }

  public List<String> text() {
    var text = new ArrayList<String>();
    text.add(
        FORMAT.formatted(
            "equal",
            "K",
            "model",
            "steps",
            "ms/step",
            "million p(z)",
            "parameters",
            "marginal ELBO",
            "auxiliary ELBO",
            "modes"));
    for (Line line : lines()) {
      MogSpec spec = line.row.firstSeed();
      text.add(
          FORMAT
              .formatted(
                  line.row.equal(),
                  spec.components(),
                  spec.model(),
                  spec.steps(),
                  number("%.2f", line.ms),
                  number("%.1f", line.millions()),
                  line.parameters,
                  text(line.marginal),
                  text(line.auxiliary),
                  line.modes)
              .stripTrailing());
    }
    return text;
  }

  private List<Line> lines() {
    return rows.stream().map(this::line).toList();
  }

  private Line line(FamilyComparison.Row row) {
    var all = row.runs().stream().map(this::result).toList();
    return new Line(
        row,
        timings.stream().filter(row::isOf).findFirst().orElseThrow().ms(),
        all.getFirst().parameters(),
        marginal(row),
        over(row, MogResult::elbo),
        over(row, MogResult::marginalElboLower).mean(),
        all.stream().map(r -> Integer.toString(r.modesCovered())).collect(Collectors.joining(" ")));
  }

  private Estimate over(FamilyComparison.Row row, ToDoubleFunction<MogResult> value) {
    var moments = new Moments();
    row.runs().forEach(run -> moments.add(value.applyAsDouble(result(run))));
    return moments.estimate();
  }

  private MogResult result(MogSpec run) {
    MogResult found = results.get(run);
    if (found == null) {
      throw new IllegalStateException("no result for " + MogGrid.directory(run));
    }
    return found;
  }

  private static String text(Estimate estimate) {
    String mean = number("%.3f", estimate.mean());
    return estimate.count() < 2 ? mean : mean + " ± " + number("%.3f", estimate.standardError());
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
