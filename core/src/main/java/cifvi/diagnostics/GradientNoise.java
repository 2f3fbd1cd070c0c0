package cifvi.diagnostics;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import cifvi.vi.Estimate;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.bytedeco.javacpp.PointerScope;

/**
 * How noisy the gradient of an objective is: g₁, …, g_n, each of a batch with noise of its own.
 *
 * @param gradients {@code [n][parameters]}, in the layout of {@link FlatParameters}
 * @param flat the layout
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GradientNoise(double[][] gradients, FlatParameters flat) {
  /**
   * What n gradients say; errors are those of the jackknife.
   *
   * @param trace tr Cov g
   * @param signalToNoise ‖E g‖ / √(tr Cov g), without the noise that ‖1/n Σ g_i‖ has left in it; 0
   *     where nothing remains
   */
  public record Noise(Estimate trace, Estimate signalToNoise) {}

  /** n, Σ ‖g_i‖² and ‖Σ g_i‖², which everything follows from. */
  private record Sums(long count, double squares, double squaredSum) {
    double trace() {
      return (squares - squaredSum / count) / (count - 1);
    }

    /** Σ_{i≠j} g_i · g_j / (n (n - 1)), whose mean is ‖E g‖². */
    double squaredNorm() {
      return (squaredSum - squares) / (count * (count - 1.0));
    }

    double signalToNoise() {
      return trace() > 0 ? Math.sqrt(Math.max(0, squaredNorm()) / trace()) : Double.NaN;
    }
  }

  /**
   * Takes gradients of the batch x, the parameters staying as they are.
   *
   * @param batches n, at least 3
   * @param noise of a batch, by its number
   */
  public static GradientNoise of(
      Model model,
      Objective objective,
      Observation x,
      int batches,
      LongFunction<Rng> noise,
      Progress progress) {
    if (batches < 3) {
      throw new IllegalArgumentException("batches: expected at least 3, got " + batches);
    }
    FlatParameters flat = model.parameters().flat();
    var gradients = new double[batches][];
    model.parameters().training(true);
    try {
      for (int i = 0; i < batches; i++) {
        try (var _ = new PointerScope()) {
          flat.gradient().zero_();
          objective.value(model, x, noise.apply(i)).mean().backward();
          flat.maskGradient();
          gradients[i] = Backend.doubles(flat.gradient());
        }
        progress.report(i + 1, batches);
      }
    } finally {
      model.parameters().training(false);
      flat.gradient().zero_();
    }
    return new GradientNoise(gradients, flat);
  }

  /** In the parameters of these names. */
  public Noise in(Predicate<String> names) {
    boolean[] counted = counted(names);
    int n = gradients.length;
    double[] sum = new double[counted.length];
    double[] squares = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < sum.length; j++) {
        double g = counted[j] ? gradients[i][j] : 0;
        sum[j] += g;
        squares[i] += g * g;
      }
    }
    double allSquares = Arrays.stream(squares).sum();
    double squaredSum = Arrays.stream(sum).map(s -> s * s).sum();
    var without = new Sums[n];
    for (int i = 0; i < n; i++) {
      double left = 0;
      for (int j = 0; j < sum.length; j++) {
        double s = counted[j] ? sum[j] - gradients[i][j] : 0;
        left += s * s;
      }
      without[i] = new Sums(n - 1, allSquares - squares[i], left);
    }
    var all = new Sums(n, allSquares, squaredSum);
    return new Noise(
        jackknife(all, without, Sums::trace), jackknife(all, without, Sums::signalToNoise));
  }

  private static Estimate jackknife(Sums all, Sums[] without, ToDoubleFunction<Sums> value) {
    int n = without.length;
    double[] left = Arrays.stream(without).mapToDouble(value).toArray();
    double mean = Arrays.stream(left).average().orElseThrow();
    double spread = Arrays.stream(left).map(v -> (v - mean) * (v - mean)).sum();
    return new Estimate(value.applyAsDouble(all), Math.sqrt(spread * (n - 1) / n), n);
  }

  private boolean[] counted(Predicate<String> names) {
    var counted = new boolean[gradients[0].length];
    flat.slices()
        .forEach(
            (name, slice) -> {
              int from = Math.toIntExact(slice.offset());
              Arrays.fill(counted, from, from + Math.toIntExact(slice.count()), names.test(name));
            });
    return counted;
  }
}
