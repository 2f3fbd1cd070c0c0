package cifvi.experiments.paper;

import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.ImageModel;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Table 1 from the runs there are. */
public record Table1(List<Column> columns, List<Method> rows, List<ImageRun> runs) {
  /**
   * One cell.
   *
   * @param runs the finished ones that have this number, by seed
   * @param unfinished those that are not
   * @param ours mean and standard error over the seeds; empty where there is none
   * @param bold whether it is among the best of its column
   */
  public record Cell(
      List<ImageRun> runs, List<ImageRun> unfinished, Optional<Estimate> ours, boolean bold) {
    /** What keeps the cell from being compared with the paper's as it stands. */
    public List<String> caveats() {
      return runs.stream().flatMap(run -> run.caveats().stream()).distinct().toList();
    }

    public List<Long> seeds() {
      return runs.stream().map(ImageRun::seed).toList();
    }
  }

  /**
   * The table of these columns and models; a CIF has a row for each variant there is.
   *
   * @param all runs of any kind of column or model
   */
  public static Table1 of(List<Column> columns, Collection<ImageModel> models, List<ImageRun> all) {
    List<ImageRun> runs =
        all.stream()
            .filter(run -> columns.contains(run.column()) && models.contains(run.method().model()))
            .sorted(Comparator.comparingLong(ImageRun::seed))
            .toList();
    requireDistinct(runs);
    var rows = new TreeSet<Method>();
    for (ImageModel model : models) {
      List<Method> found =
          runs.stream().map(ImageRun::method).filter(m -> m.model() == model).toList();
      rows.addAll(found.isEmpty() ? List.of(Method.released(model)) : found);
    }
    return new Table1(columns, List.copyOf(rows), runs);
  }

  /** Two runs of one cell must be two seeds: anything else would mix what is not alike. */
  private static void requireDistinct(List<ImageRun> runs) {
    record Identity(Method method, Column column, long seed) {}
    Map<Identity, ImageRun> known = new HashMap<>();
    for (ImageRun run : runs) {
      ImageRun twin = known.put(new Identity(run.method(), run.column(), run.seed()), run);
      if (twin != null) {
        throw new UserException(
            "%s and %s are both %s on %s with seed %d: move one of them out of the folder"
                .formatted(
                    twin.path(),
                    run.path(),
                    run.method().label(),
                    run.column().label(),
                    run.seed()));
      }
    }
  }

  public Cell cell(Method method, Column column, TestBinarisation binarisation) {
    Optional<Estimate> ours = estimate(method, column, binarisation);
    List<Estimate> rivals =
        rows.stream().flatMap(row -> estimate(row, column, binarisation).stream()).toList();
    return new Cell(
        of(method, column).filter(run -> run.logLikelihood(binarisation).isPresent()).toList(),
        of(method, column).filter(run -> run.result().isEmpty()).toList(),
        ours,
        rivals.size() > 1 && ours.isPresent() && isBold(ours.get(), rivals));
  }

  /** The runs of a cell. */
  Stream<ImageRun> of(Method method, Column column) {
    return runs.stream().filter(run -> run.method().equals(method) && run.column().equals(column));
  }

  private Optional<Estimate> estimate(Method method, Column column, TestBinarisation binarisation) {
    var moments = new Moments();
    of(method, column)
        .flatMap(run -> run.logLikelihood(binarisation).stream())
        .forEach(moments::add);
    return moments.count() == 0 ? Optional.empty() : Optional.of(moments.estimate());
  }

  /**
   * The rule that fits the paper's bold figures: as near to the best as both standard errors
   * together. One seed has no error, and only the best is bold.
   */
  static boolean isBold(Estimate estimate, List<Estimate> column) {
    Estimate best = column.stream().max(Comparator.comparingDouble(Estimate::mean)).orElseThrow();
    return best.mean() - estimate.mean() <= error(estimate) + error(best);
  }

  private static double error(Estimate estimate) {
    return Double.isNaN(estimate.standardError()) ? 0 : estimate.standardError();
  }
}
