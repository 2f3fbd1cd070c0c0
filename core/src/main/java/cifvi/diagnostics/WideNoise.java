package cifvi.diagnostics;

import cifvi.distribution.Observation;
import cifvi.posterior.Posterior;
import cifvi.tensor.CounterRng;
import cifvi.tensor.Rng;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Noise ε that reaches further out than a posterior ever sees it: in every second row one number,
 * of the base or of an index, another one from row to row, is three times as wide.
 *
 * <p>A draw is a function of its noise, whatever the family. Rows of this kind have the density
 * ν(ε) ρ(ε), where ν is the standard normal of all n numbers and
 *
 * <p>ρ(ε) = 1/2 + 1/2n Σ_j N(ε_j; 0, 3²) / N(ε_j; 0, 1) ≥ 1/2.
 *
 * <p>Hence, w being the weight of a draw by its usual noise, w / ρ(ε) is a proper weight too, at
 * most twice as large, and with draws where those of q hardly come (defensive importance sampling,
 * Hesterberg, 1995, <i>Technometrics</i> 37).
 */
public final class WideNoise implements Rng {
  private static final double WIDTH = 3;

  private final CounterRng noise;
  private final SortedMap<Integer, Integer> columns; // of every stream
  private final int numbers;

  private WideNoise(CounterRng noise, SortedMap<Integer, Integer> columns) {
    this.noise = noise;
    this.columns = columns;
    numbers = sum(columns);
  }

  private static int sum(SortedMap<Integer, Integer> columns) {
    return columns.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** In place of the noise that draws of {@code posterior} are made of. */
  public static WideNoise of(Posterior posterior, CounterRng noise) {
    var asked = new TreeMap<Integer, Integer>();
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      posterior.sample(Observation.none(1), new WideNoise(noise, asked));
    }
    return new WideNoise(noise, asked);
  }

  @Override
  public Tensor normal(long rows, long columns) {
    this.columns.putIfAbsent(noise.stream(), Math.toIntExact(columns));
    return noise.backend().tensor(normals(noise, rows, columns), rows, columns);
  }

  private double[] normals(CounterRng noise, long rows, long columns) {
    double[] values = noise.normals(rows, columns);
    int first = sum(this.columns.headMap(noise.stream()));
    for (int i = 0; i < rows && numbers > 0; i++) {
      long row = noise.firstRow() + i;
      long wide = row / 2 % numbers - first;
      if (row % 2 == 1 && wide >= 0 && wide < columns) {
        values[(int) (i * columns + wide)] *= WIDTH;
      }
    }
    return values;
  }

  @Override
  public Tensor uniform(long rows, long columns) {
    return noise.uniform(rows, columns);
  }

  @Override
  public Rng layer(int index) {
    return new WideNoise(noise.layer(index), columns);
  }

  @Override
  public Rng fromRow(long row) {
    return new WideNoise(noise.fromRow(row), columns);
  }

  /** log ρ(ε) of the first rows. */
  public double[] logRatios(int rows) {
    double[] ratios = new double[rows];
    columns.forEach(
        (stream, count) -> {
          double[] values = normals(stream == 0 ? noise : noise.layer(stream - 1), rows, count);
          for (int i = 0; i < values.length; i++) {
            double square = values[i] * values[i];
            ratios[i / count] += Math.exp(0.5 * square * (1 - 1 / (WIDTH * WIDTH))) / WIDTH;
          }
        });
    for (int i = 0; i < rows; i++) {
      ratios[i] = Math.log(0.5 + 0.5 * ratios[i] / numbers);
    }
    return ratios;
  }
}
