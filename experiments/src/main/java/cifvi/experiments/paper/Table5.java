package cifvi.experiments.paper;

import static java.util.Map.entry;

import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.vi.Moments;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Table 5: how much the test log-likelihood of one trained model varies between evaluations; the
 * variance over them, averaged over the runs of a model. Small decoder only.
 *
 * @param samples importance samples S of the evaluations
 */
public record Table5(Table1 runs, int samples) {
  /** Evaluations of each run. */
  public static final int REPEATS = 3;

  /** The paper's, MNIST and Fashion-MNIST. */
  private static final Map<ImageModel, List<Double>> PAPER =
      Map.ofEntries(
          entry(ImageModel.VAE, List.of(2.60e-3, 2.51e-3)),
          entry(ImageModel.MAF_SMALL, List.of(2.85e-3, 6.77e-3)),
          entry(ImageModel.MAF_LARGE, List.of(2.59e-3, 4.93e-3)),
          entry(ImageModel.CIF_MAF, List.of(2.38e-3, 6.45e-4)),
          entry(ImageModel.NSF_SMALL, List.of(2.78e-4, 3.84e-3)),
          entry(ImageModel.NSF_LARGE, List.of(1.84e-3, 2.27e-3)),
          entry(ImageModel.CIF_NSF, List.of(9.78e-4, 4.47e-3)));

  /** The paper's variance; empty where it has none. */
  public static OptionalDouble paper(ImageModel model, Column column) {
    int index = column.decoder() == Decoder.SMALL ? Column.ALL.indexOf(column) : -1;
    List<Double> row = PAPER.get(model);
    return index < 0 || row == null ? OptionalDouble.empty() : OptionalDouble.of(row.get(index));
  }

  /** Our variance; empty where no run has all its evaluations. */
  public OptionalDouble ours(Method method, Column column, TestBinarisation binarisation) {
    return runs.of(method, column)
        .flatMap(run -> variance(run, binarisation).stream())
        .mapToDouble(variance -> variance)
        .average();
  }

  /** How many runs have all their evaluations. */
  public long count(Method method, Column column, TestBinarisation binarisation) {
    return runs.of(method, column).filter(run -> variance(run, binarisation).isPresent()).count();
  }

  /** Finished runs that still need evaluations. */
  public List<ImageRun> missing() {
    return runs.runs().stream()
        .filter(run -> run.result().isPresent())
        .filter(
            run ->
                List.of(TestBinarisation.values()).stream()
                    .anyMatch(binarisation -> variance(run, binarisation).isEmpty()))
        .toList();
  }

  /** With n - 1 in the denominator. */
  private Optional<Double> variance(ImageRun run, TestBinarisation binarisation) {
    var means = new Moments();
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      run.likelihoods(binarisation, samples, repeat).stream()
          .mapToDouble(ImageRow::logLikelihood)
          .average()
          .ifPresent(means::add);
    }
    return means.count() == REPEATS ? Optional.of(means.variance()) : Optional.empty();
  }
}
