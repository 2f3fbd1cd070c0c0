package cifvi.experiments.figures;

import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.StepRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The ELBO against training steps or epochs. Steps are thinned: consecutive ones share a bucket, so
 * that any run fits on a page.
 *
 * @param buckets in order of steps
 * @param done how many steps or epochs were done
 * @param smoothing the share of all buckets that the smoothed line averages over
 */
public record Curve(List<Bucket> buckets, long done, double smoothing) {
  private static final double STEP_SMOOTHING = 0.02;

  /**
   * The steps {@code first} to {@code last} with the mean and the range of their ELBO; of an epoch
   * the range is one standard error to either side.
   *
   * @param mean over the steps whose ELBO was finite
   */
  public record Bucket(long first, long last, double mean, double min, double max) {
    /** The step in the middle. */
    public double step() {
      return (first + last) / 2.0;
    }
  }

  public Curve {
    buckets = List.copyOf(buckets);
  }

  /**
   * At most {@code most} buckets of equally many steps; steps without a finite ELBO are left out.
   */
  public static Curve of(List<StepRow> rows, int most) {
    if (most < 1) {
      throw new IllegalArgumentException("points: expected at least 1, got " + most);
    }
    int width = Math.max(1, Math.ceilDiv(rows.size(), most));
    var buckets = new ArrayList<Bucket>();
    for (int i = 0; i < rows.size(); i += width) {
      List<StepRow> part = rows.subList(i, Math.min(i + width, rows.size()));
      var elbo =
          part.stream().mapToDouble(StepRow::elbo).filter(Double::isFinite).summaryStatistics();
      if (elbo.getCount() > 0) {
        buckets.add(
            new Bucket(
                part.getFirst().step(),
                part.getLast().step(),
                elbo.getAverage(),
                elbo.getMin(),
                elbo.getMax()));
      }
    }
    long done = rows.isEmpty() ? 0 : rows.getLast().step() + 1;
    return new Curve(buckets, done, STEP_SMOOTHING);
  }

  /** The validation bound after each epoch. */
  public static Curve validation(List<EpochRow> epochs) {
    return epochs(epochs, EpochRow::validElbo, EpochRow::validElboSe);
  }

  /** The mean of the training objective over each epoch. */
  public static Curve training(List<EpochRow> epochs) {
    return epochs(epochs, EpochRow::trainElbo, _ -> 0);
  }

  private static Curve epochs(
      List<EpochRow> epochs, ToDoubleFunction<EpochRow> value, ToDoubleFunction<EpochRow> error) {
    List<Bucket> buckets =
        epochs.stream()
            .filter(row -> Double.isFinite(value.applyAsDouble(row)))
            .map(row -> around(row.epoch(), value.applyAsDouble(row), error.applyAsDouble(row)))
            .toList();
    return new Curve(buckets, epochs.size(), 0);
  }

  private static Bucket around(long epoch, double value, double error) {
    return new Bucket(epoch, epoch, value, value - error, value + error);
  }

  /** The means, each averaged with its neighbours. */
  public double[] smoothed() {
    int reach = (int) Math.ceil(smoothing * buckets.size() / 2);
    double[] smooth = new double[buckets.size()];
    for (int i = 0; i < smooth.length; i++) {
      int width = Math.min(reach, Math.min(i, smooth.length - 1 - i));
      smooth[i] =
          buckets.subList(i - width, i + width + 1).stream()
              .mapToDouble(Bucket::mean)
              .average()
              .orElseThrow();
    }
    return smooth;
  }

  /**
   * Where a vertical axis may begin so that the start of training does not squash the rest: the 2 %
   * quantile of the second half.
   */
  public double low() {
    double[] later = buckets.stream().skip(buckets.size() / 2).mapToDouble(Bucket::min).toArray();
    return Quantiles.of(later, 0.02);
  }

  public double high() {
    return buckets.stream().mapToDouble(Bucket::max).max().orElse(Double.NaN);
  }
}
