package cifvi.experiments.paper;

import cifvi.experiments.files.Csv;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.ImagesResult;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Table 1 beside the table of other runs, such as those with the settings of the authors' code.
 *
 * @param other the same rows and columns from the runs of another folder
 */
public record Table1Beside(Table1 ours, Table1 other) {
  private static final List<String> COLUMNS =
      List.of(
          "data",
          "decoder",
          "model",
          "placement",
          "log_likelihood",
          "log_likelihood_se",
          "beside",
          "beside_se",
          "paper",
          "paper_se",
          "seeds",
          "difference",
          "difference_se",
          "images_se");

  /**
   * A cell of both tables and the paper's.
   *
   * @param seeds that both tables have
   * @param difference of ours from the other on images binarised once, over these seeds
   * @param byImage the same over images, where both have the log-likelihood of each
   */
  public record Line(
      Column column,
      Method method,
      Optional<Estimate> ours,
      Optional<Estimate> other,
      Optional<Estimate> paper,
      List<Long> seeds,
      Optional<Estimate> difference,
      Optional<PairedDifference> byImage) {}

  /** All cells of which either table has a run. */
  public List<Line> lines() {
    return ours.columns().stream()
        .flatMap(column -> ours.rows().stream().map(method -> line(column, method)))
        .filter(line -> line.ours.isPresent() || line.other.isPresent())
        .toList();
  }

  private Line line(Column column, Method method) {
    var differences = new TreeMap<Long, Double>();
    ours.of(method, column).forEach(run -> put(run, differences));
    var moments = new Moments();
    differences.values().forEach(moments::add);
    return new Line(
        column,
        method,
        ours.cell(method, column, TestBinarisation.FRESH).ours(),
        other.cell(method, column, TestBinarisation.FRESH).ours(),
        PaperTable1.value(method.model(), column),
        List.copyOf(differences.keySet()),
        differences.isEmpty() ? Optional.empty() : Optional.of(moments.estimate()),
        PairedDifference.of(ours.of(method, column), other.of(method, column)));
  }

  /** The difference from the other run with this seed, if both were tested alike. */
  private void put(ImageRun run, Map<Long, Double> differences) {
    other
        .of(run.method(), run.column())
        .filter(twin -> twin.seed() == run.seed() && samples(twin).equals(samples(run)))
        .flatMap(twin -> twin.logLikelihood(TestBinarisation.FIXED).stream())
        .forEach(
            before ->
                run.logLikelihood(TestBinarisation.FIXED)
                    .ifPresent(now -> differences.put(run.seed(), now - before)));
  }

  private static Optional<Integer> samples(ImageRun run) {
    return run.result().map(ImagesResult::importanceSamples);
  }

  /** One line a cell. */
  public String csv() {
    var csv = new StringBuilder(Csv.line(COLUMNS));
    lines().forEach(line -> csv.append(Csv.line(cells(line))));
    return csv.toString();
  }

  private static Stream<?> cells(Line line) {
    Method method = line.method;
    return Stream.of(
            List.of(
                line.column.data(),
                line.column.decoder(),
                method.model(),
                method.model().cif() ? method.placement() : ""),
            Table1Csv.numbers(line.ours),
            Table1Csv.numbers(line.other),
            Table1Csv.numbers(line.paper),
            List.of(Table1Csv.spaced(line.seeds)),
            Table1Csv.numbers(line.difference),
            List.of(line.byImage.map(d -> "" + d.difference().standardError()).orElse("")))
        .flatMap(List::stream);
  }
}
