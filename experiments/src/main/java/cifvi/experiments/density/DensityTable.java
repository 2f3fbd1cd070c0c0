package cifvi.experiments.density;

import cifvi.experiments.files.Csv;
import cifvi.experiments.run.RunDirectory;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** CIFs beside flows on sets of points in the plane: means over seeds, and paired differences. */
public record DensityTable(List<ComparedRun> runs) {
  private static final String FORMAT = "%-16s %-14s %10s %8s  %18s  %-22s %s";
  private static final String NONE = "";

  /** A finished run of the table. */
  public record ComparedRun(
      String set, ComparedModel model, RunDirectory directory, DensityResult result) {
    private List<TestRows.Row> rows() {
      return new TestRows(directory).read(result.importanceSamples(), 0);
    }
  }

  /**
   * How far the CIF is ahead of a flow on the same test rows.
   *
   * @param seeds mean over seeds, with its standard error over them
   * @param rowError standard error over the test rows of all seeds
   */
  public record Ahead(Estimate seeds, double rowError) {
    /** The mean in the larger of both errors. */
    double inErrors() {
      return seeds.mean() / error();
    }

    /** The larger one: three seeds alone may agree by chance. */
    double error() {
      return seeds.count() < 2 ? rowError : Math.max(seeds.standardError(), rowError);
    }
  }

  private record Line(
      String set, ComparedModel model, List<ComparedRun> runs, @Nullable Ahead ahead) {
    Estimate over(ToDoubleFunction<DensityResult> value) {
      var moments = new Moments();
      runs.forEach(run -> moments.add(value.applyAsDouble(run.result)));
      return moments.estimate();
    }
  }

  public List<String> sets() {
    return runs.stream().map(ComparedRun::set).distinct().toList();
  }

  /** The run that a figure shows of a set and model: the middle one by its log-likelihood. */
  public Optional<ComparedRun> middle(String set, ComparedModel model) {
    List<ComparedRun> sorted =
        of(set, model).stream()
            .sorted(Comparator.comparingDouble(run -> run.result.logLikelihood()))
            .toList();
    return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
  }

  private List<ComparedRun> of(String set, ComparedModel model) {
    return runs.stream().filter(run -> run.set.equals(set) && run.model == model).toList();
  }

  /** How far the CIF is ahead of this model; empty where no seed has both. */
  public Optional<Ahead> ahead(String set, ComparedModel model) {
    var seeds = new Moments();
    double squares = 0;
    for (ComparedRun flow : of(set, model)) {
      Optional<ComparedRun> cif =
          of(set, ComparedModel.CIF_NSF).stream()
              .filter(run -> run.result.seed() == flow.result.seed())
              .findFirst();
      if (cif.isPresent()) {
        Estimate difference = difference(cif.get().rows(), flow.rows());
        seeds.add(difference.mean());
        squares += difference.standardError() * difference.standardError();
      }
    }
    return seeds.count() == 0
        ? Optional.empty()
        : Optional.of(new Ahead(seeds.estimate(), Math.sqrt(squares) / seeds.count()));
  }

  private static Estimate difference(List<TestRows.Row> a, List<TestRows.Row> b) {
    var moments = new Moments();
    IntStream.range(0, a.size())
        .forEach(i -> moments.add(a.get(i).logLikelihood() - b.get(i).logLikelihood()));
    return moments.estimate();
  }

  private List<Line> lines() {
    var lines = new ArrayList<Line>();
    for (String set : sets()) {
      for (ComparedModel model : ComparedModel.values()) {
        List<ComparedRun> found = of(set, model);
        if (!found.isEmpty()) {
          boolean cif = model == ComparedModel.CIF_NSF;
          lines.add(new Line(set, model, found, cif ? null : ahead(set, model).orElse(null)));
        }
      }
    }
    return lines;
  }

  /** For people. */
  public List<String> text() {
    var text = new ArrayList<String>();
    text.add(
        FORMAT
            .formatted(
                "set",
                "model",
                "parameters",
                "ms/step",
                "log-likelihood",
                "CIF-NSF is ahead by",
                "in se")
            .stripTrailing());
    for (Line line : lines()) {
      Ahead ahead = line.ahead;
      text.add(
          FORMAT
              .formatted(
                  line.set,
                  line.model.label(),
                  String.format(Locale.ROOT, "%,d", line.runs.getFirst().result.parameters()),
                  number("%.2f", line.over(DensityResult::msPerStep).mean()),
                  text(line.over(DensityResult::logLikelihood)),
                  ahead == null
                      ? NONE
                      : number("%.4f", ahead.seeds.mean()) + " ± " + number("%.4f", ahead.error()),
                  ahead == null ? NONE : number("%.1f", ahead.inErrors()))
              .stripTrailing());
    }
    return text;
  }

  public String csv() {
    var text =
        new StringBuilder(
            Csv.line(
                List.of(
                    "set",
                    "model",
                    "parameters",
                    "ms_per_step",
                    "steps",
                    "seeds",
                    "log_likelihood",
                    "log_likelihood_se",
                    "log_likelihood_bias",
                    "elbo",
                    "cif_ahead",
                    "cif_ahead_se_seeds",
                    "cif_ahead_se_rows")));
    for (Line line : lines()) {
      Ahead ahead = line.ahead;
      Estimate value = line.over(DensityResult::logLikelihood);
      text.append(
          Csv.line(
              List.of(
                  line.set,
                  line.model,
                  line.runs.getFirst().result.parameters(),
                  line.over(DensityResult::msPerStep).mean(),
                  line.runs.getFirst().result.steps(),
                  line.runs.size(),
                  value.mean(),
                  value.standardError(),
                  line.over(DensityResult::logLikelihoodBias).mean(),
                  line.over(DensityResult::elbo).mean(),
                  ahead == null ? NONE : ahead.seeds.mean(),
                  ahead == null ? NONE : ahead.seeds.standardError(),
                  ahead == null ? NONE : ahead.rowError)));
    }
    return text.toString();
  }

  private static String text(Estimate estimate) {
    String mean = number("%.4f", estimate.mean());
    return estimate.count() < 2 ? mean : mean + " ± " + number("%.4f", estimate.standardError());
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
