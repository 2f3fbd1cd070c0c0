package cifvi.diagnostics;

import cifvi.vi.Estimate;
import cifvi.vi.LogMeanExp;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * w_i ∝ p / q of draws of q, and what they say of themselves: Pareto smoothed importance sampling
 * (Vehtari, Simpson, Gelman, Yao and Gabry, 2024, <i>JMLR</i> 25).
 */
public final class ImportanceWeights {
  private static final int LEAST_TAIL = 5;
  private static final double EQUAL = 1e-12;

  private final double[] logWeights;
  private final @Nullable ParetoTail tail;
  private final boolean equal;
  private final double[] smoothed;

  /**
   * @param logWeights of every draw, up to a constant; -∞ for a draw without a density
   */
  public ImportanceWeights(double[] logWeights) {
    this.logWeights = logWeights.clone();
    int s = logWeights.length;
    double most = Arrays.stream(logWeights).max().orElse(Double.NEGATIVE_INFINITY);
    smoothed = new double[s];
    Arrays.setAll(smoothed, i -> Math.exp(logWeights[i] - most));
    int length = (int) Math.ceil(Math.min(0.2 * s, 3 * Math.sqrt(s)));
    int[] order =
        IntStream.range(0, s)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> logWeights[i]))
            .mapToInt(i -> i)
            .toArray();
    boolean answered = Double.isFinite(most);
    equal = answered && s > 0 && most - logWeights[order[Math.max(0, s - 1 - length)]] < EQUAL;
    tail = answered && !equal && length >= LEAST_TAIL ? smooth(order, length) : null;
    normalise();
  }

  /** Replaces the largest weights by the quantiles of a tail that was fitted to them. */
  private ParetoTail smooth(int[] order, int length) {
    int s = order.length;
    double threshold = smoothed[order[s - length - 1]];
    double[] excess = new double[length];
    Arrays.setAll(excess, i -> smoothed[order[s - length + i]] - threshold);
    var fitted = ParetoTail.fit(excess);
    for (int i = 0; i < length && Double.isFinite(fitted.k()); i++) {
      double weight = threshold + fitted.quantile((i + 0.5) / length);
      smoothed[order[s - length + i]] = Math.min(1, weight); // none above the largest there was
    }
    return fitted;
  }

  private void normalise() {
    double sum = Arrays.stream(smoothed).sum();
    for (int i = 0; i < smoothed.length; i++) {
      smoothed[i] /= sum;
    }
  }

  public int size() {
    return logWeights.length;
  }

  /**
   * Pareto k-hat: above {@link #kHatThreshold} nothing that the weights say is reliable. 0 where
   * the largest weights are all the same; infinite where there are too few draws to tell, or none
   * with a density.
   */
  public double kHat() {
    return equal ? 0 : tail == null || Double.isNaN(tail.k()) ? Double.POSITIVE_INFINITY : tail.k();
  }

  /**
   * k-hat of w |x - E_w x|: above the threshold the weighted mean of x is not reliable, even where
   * the weights themselves are.
   */
  public double kHat(double[] x) {
    return kHat(x, 1);
  }

  /** The same of w (x - E_w x)², which decides on the weighted standard deviation of x. */
  public double kHatOfSquare(double[] x) {
    return kHat(x, 2);
  }

  private double kHat(double[] x, int power) {
    double mean = 0;
    for (int i = 0; i < x.length; i++) {
      mean += smoothed[i] * x[i];
    }
    double[] terms = logWeights.clone();
    for (int i = 0; i < x.length; i++) {
      terms[i] += power * Math.log(Math.abs(x[i] - mean));
    }
    return new ImportanceWeights(terms).kHat();
  }

  /** min(1 - 1 / log10 S, 0.7). */
  public double kHatThreshold() {
    return Math.min(1 - 1 / Math.log10(size()), 0.7);
  }

  /** Whether {@link #kHat} is small enough, or does not matter since the weights are even. */
  public boolean reliable() {
    return kHat() < kHatThreshold() || (Double.isFinite(kHat()) && even());
  }

  /**
   * Whether no weight is more than twice their mean. The tail to which k-hat is fitted is then one
   * of rounding: its shape says nothing.
   */
  boolean even() {
    double most = Arrays.stream(logWeights).max().orElse(Double.NEGATIVE_INFINITY);
    return Double.isFinite(most) && most - logEvidence().mean() <= Math.log(2);
  }

  /** (Σ w)² / Σ w², of the weights before they are smoothed. */
  public double effectiveSampleSize() {
    double most = Arrays.stream(logWeights).max().orElse(Double.NEGATIVE_INFINITY);
    double sum = 0;
    double squares = 0;
    for (double logWeight : logWeights) {
      double w = Math.exp(logWeight - most);
      sum += w;
      squares += w * w;
    }
    return sum * sum / squares;
  }

  /** log 1/S Σ w, with the standard error of the mean weight over the mean weight. */
  public Estimate logEvidence() {
    var mean = new LogMeanExp();
    Arrays.stream(logWeights).forEach(mean::add);
    return mean.estimate();
  }

  /** The smoothed weights, with the sum 1. */
  public double[] normalised() {
    return smoothed.clone();
  }

  /**
   * Draws to keep, by systematic resampling from the smoothed weights: each comes within one of as
   * often as its weight says. In an order of no meaning.
   */
  public int[] resample(int count, long seed) {
    var random = new SplittableRandom(seed);
    double at = random.nextDouble();
    int[] kept = new int[count];
    double sum = 0;
    int i = -1;
    for (int n = 0; n < count; n++) {
      while (i < 0 || (sum * count <= at + n && i < smoothed.length - 1)) {
        sum += smoothed[++i];
      }
      kept[n] = i;
    }
    for (int n = count - 1; n > 0; n--) {
      int other = random.nextInt(n + 1);
      int swapped = kept[n];
      kept[n] = kept[other];
      kept[other] = swapped;
    }
    return kept;
  }
}
