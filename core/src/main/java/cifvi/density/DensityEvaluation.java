package cifvi.density;

import cifvi.distribution.Observation;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Rng;
import cifvi.vi.Estimate;
import cifvi.vi.ForwardWeights;
import cifvi.vi.LogMeanExp;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * What is computed of a density model without training it, in the units of the data. Noise belongs
 * to the row, so that chunks do not change a number.
 *
 * @param weights what estimates are made of, by some engine
 */
public record DensityEvaluation(
    DensityShape shape, Standardisation units, Model model, LogWeights weights) {
  /** Draws computed at a time. */
  private static final int CHUNK = 8_000;

  private static final int CUDA_CHUNK = 50_000;

  /** The bound with one draw a row. */
  public Estimate elbo(double[][] rows, long seed, Purpose purpose, long round, Progress progress) {
    var moments = new Moments();
    Rng rng = new CounterRng(backend(), seed, purpose).step(round);
    weights(rows, 1, rng, progress, (_, w) -> moments.add(w));
    return moments.estimate();
  }

  /**
   * The log-likelihood of every row.
   *
   * @param samples for each, an even number; one is exact for a plain flow and all it takes
   * @param round each with noise of its own
   */
  public List<RowLikelihood> logLikelihoods(
      double[][] rows, int samples, long seed, long round, Progress progress) {
    int each = shape.family().indexed() ? samples : 1;
    if (each > 1 && each % 2 != 0) {
      throw new IllegalArgumentException("samples: expected an even number, got " + samples);
    }
    var halves = new LogMeanExp[2][rows.length];
    long[] seen = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      halves[0][i] = new LogMeanExp();
      halves[1][i] = new LogMeanExp();
    }
    Rng rng = new CounterRng(backend(), seed, Purpose.LIKELIHOOD).step(round);
    weights(
        rows,
        each,
        rng,
        progress,
        (row, w) -> halves[2 * seen[(int) row]++ < each ? 0 : 1][(int) row].add(w));
    var values = new ArrayList<RowLikelihood>();
    for (int i = 0; i < rows.length; i++) {
      values.add(RowLikelihood.of(halves[0][i], halves[each == 1 ? 0 : 1][i]));
    }
    return values;
  }

  /** Every log-weight, as one of x in the units of the data. */
  private void weights(
      double[][] rows, int samples, Rng rng, Progress progress, ForwardWeights.Consumer each) {
    double logScale = units.logScale(shape.features());
    try (var _ = new PointerScope()) {
      Observation x = Observation.of(tensor(rows));
      int chunk = backend().cuda() ? CUDA_CHUNK : CHUNK;
      new ForwardWeights(weights, chunk, progress)
          .forEach(x, 0, samples, rng, (row, w) -> each.accept(row, w - logScale));
    }
  }

  private Tensor tensor(double[][] rows) {
    return backend().tensor(units.apply(rows), rows.length, units.columns());
  }

  /** Draws of the modelled columns where nothing is given. */
  public double[][] draws(int count, long seed) {
    return draws(new double[count][units.columns()], seed);
  }

  /**
   * One draw of the modelled columns for every row, given its last columns; what the first ones
   * hold is not looked at.
   */
  public double[][] draws(double[][] rows, long seed) {
    int d = shape.features();
    double[] flat = new double[Math.multiplyExact(rows.length, d)];
    var rng = new CounterRng(backend(), seed, Purpose.SAMPLE);
    model.parameters().training(false);
    for (int from = 0; from < rows.length; from += CHUNK) {
      int count = Math.min(CHUNK, rows.length - from);
      try (var _ = new PointerScope();
          var _ = new NoGradGuard()) {
        double[][] part = Arrays.copyOfRange(rows, from, from + count);
        Rng here = rng.fromRow(from);
        Tensor z = here.normal(count, d);
        Tensor x = model.posterior().generate(z, Observation.of(tensor(part)), here);
        System.arraycopy(Backend.doubles(x), 0, flat, from * d, count * d);
      }
    }
    return units.invert(flat, d);
  }

  private Backend backend() {
    return model.parameters().backend();
  }
}
