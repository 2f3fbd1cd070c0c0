package cifvi;

import cifvi.diagnostics.ImportanceWeights;
import cifvi.distribution.NormalBase;
import cifvi.engine.Engines;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Posterior;
import cifvi.start.internal.Frame;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Estimate;
import cifvi.vi.LogMeanExp;
import cifvi.vi.LogWeights;
import cifvi.vi.Moments;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import org.bytedeco.javacpp.PointerScope;

/**
 * A family that was fitted, and how good it is.
 *
 * @param elbo over draws that have an answer
 * @param logEvidence log 1/n Σ e^{log-weight}
 * @param reliable whether the weights are, by their Pareto k-hat
 */
record Stage(
    Fitted fitted, Engines.Choice choice, Estimate elbo, double logEvidence, boolean reliable)
    implements AutoCloseable {
  /** Draws to look at a model that was trained. */
  static final int DRAWS = 10_000;

  /** Draws to look at one that was not. */
  static final int FEW_DRAWS = 2000;

  /** Looks at a model. */
  static Stage of(Fitted fitted, Engines.Choice choice, int count, int threads) {
    var elbo = new Moments();
    double[] logWeights = new double[count];
    var evidence = new LogMeanExp();
    var rng = new CounterRng(fitted.model().parameters().backend(), 0, Purpose.EVALUATE);
    try (LogWeights weights = fitted.weights(threads)) {
      Fitted.Weighed draws = fitted.draw(weights, count, rng);
      for (int i = 0; i < count; i++) {
        double logWeight = draws.logP()[i] - draws.logG()[i];
        logWeights[i] = logWeight;
        evidence.add(logWeight);
        if (Double.isFinite(logWeight)) {
          elbo.add(logWeight);
        }
      }
    }
    boolean reliable = new ImportanceWeights(logWeights).reliable();
    return new Stage(fitted, choice, elbo.estimate(), evidence.value(), reliable);
  }

  /** A model that was looked at before, as {@link #numbers} told. */
  static Stage of(Fitted fitted, Engines.Choice choice, SortedMap<String, String> numbers) {
    var elbo =
        new Estimate(
            Double.parseDouble(Report.text(numbers, "elbo")),
            Double.parseDouble(Report.text(numbers, "elbo_se")),
            Long.parseLong(Report.text(numbers, "elbo_draws")));
    double logEvidence = Double.parseDouble(Report.text(numbers, "log_z"));
    boolean reliable = Boolean.parseBoolean(Report.text(numbers, "reliable"));
    return new Stage(fitted, choice, elbo, logEvidence, reliable);
  }

  /** How good it is, for a file. */
  Map<String, String> numbers() {
    return Map.of(
        "elbo", Double.toString(elbo.mean()),
        "elbo_se", Double.toString(elbo.standardError()),
        "elbo_draws", Long.toString(elbo.count()),
        "log_z", Double.toString(logEvidence),
        "reliable", Boolean.toString(reliable));
  }

  /** The family that was fitted. */
  Family family() {
    return fitted.shape().family();
  }

  /** What importance sampling says is left between the bound and log ∫ p; 0 for an exact fit. */
  double gap() {
    return logEvidence - elbo.mean();
  }

  /** The frame in which a normal that was fitted is a standard one. */
  Frame whitened() {
    Posterior posterior = fitted.model().posterior();
    Backend backend = fitted.model().parameters().backend();
    int d = fitted.frame().dimensions();
    double[] matrix = new double[d * d];
    try (var _ = new PointerScope()) {
      if (posterior.layers().isEmpty()) {
        double[] logStd = Backend.doubles(((NormalBase) posterior.base()).logStd());
        for (int i = 0; i < d; i++) {
          matrix[i * d + i] = Math.exp(logStd[i]);
        }
        double[] mean = Backend.doubles(((NormalBase) posterior.base()).mean());
        return fitted.frame().then(mean, matrix, Arrays.stream(logStd).sum());
      }
      var unit = new double[d * d];
      for (int i = 0; i < d; i++) {
        unit[i * d + i] = 1;
      }
      var g = ((FlowLayer) posterior.layers().getLast()).g();
      double[] shift = Backend.doubles(g.forward(backend.zeros(1, d)).value());
      var images = g.forward(backend.tensor(unit, d, d)); // row j: shift + column j of the matrix
      double[] rows = Backend.doubles(images.value());
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          matrix[i * d + j] = rows[j * d + i] - shift[i];
        }
      }
      return fitted.frame().then(shift, matrix, Backend.doubles(images.logDet())[0]);
    }
  }

  @Override
  public void close() {
    fitted.close();
  }
}
