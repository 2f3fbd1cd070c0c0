package cifvi;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.start.internal.Frame;
import cifvi.start.internal.Score;
import cifvi.target.HostTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A family with its parameters, in the frame it was fitted in.
 *
 * @param score the density of v or the target of libtorch operations that the model was fitted to,
 *     closed with it; null where nobody knows any more
 */
record Fitted(Shape shape, Frame frame, Model model, @Nullable Score score, Engines.Kind engine)
    implements AutoCloseable {
  /** Rows of a pass, which bound the memory of many draws. */
  private static final int CHUNK = 10_000;

  /**
   * Draws with the two densities of their weights.
   *
   * @param z row-major
   * @param logP of z; -∞ where the density has no answer, NaN where nobody knows the density
   * @param logG log q(z, u) - log r(u|z)
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  record Weighed(double[] z, double[] logP, double[] logG) {}

  /** What draws: a density in plain numbers is called by {@link #draw}, in double precision. */
  LogWeights weights(int threads) {
    return Engines.logWeights(engine, drawn(), threads);
  }

  /** The same by libtorch, which takes any noise. */
  LogWeights eager() {
    return LogWeights.eager(drawn());
  }

  private Model drawn() {
    HostTarget.Densities later = (_, logP, _) -> Arrays.fill(logP, 0);
    Target target =
        score instanceof Target own ? own : new HostTarget(model.parameters().backend(), later);
    return new Model(model.posterior(), target, model.parameters());
  }

  /** Rows {@code 0 … count} of the noise of {@code rng}. */
  Weighed draw(LogWeights weights, int count, Rng rng) {
    int d = frame.dimensions();
    var all =
        new Weighed(new double[Math.multiplyExact(count, d)], new double[count], new double[count]);
    for (int from = 0; from < count; from += CHUNK) {
      int rows = Math.min(CHUNK, count - from);
      LogWeights.Draws drawn;
      try (var _ = new PointerScope()) {
        drawn = weights.draw(Observation.none(rows), 1, rng.fromRow(from));
      }
      double[] logP = logDensities(drawn);
      for (int i = 0; i < rows; i++) {
        System.arraycopy(frame.toZ(drawn.z(), i), 0, all.z, (from + i) * d, d);
        all.logP[from + i] = logP[i] - frame.logDet();
        all.logG[from + i] = -drawn.delta()[i] - frame.logDet();
      }
    }
    return all;
  }

  /** Of v. */
  private double[] logDensities(LogWeights.Draws drawn) {
    double[] logP = drawn.logJoint();
    switch (score) {
      case DensityBatch density -> density.evaluate(drawn.z(), logP, null);
      case null -> Arrays.fill(logP, Double.NaN);
      default -> {} // the target of the model has been called
    }
    return logP;
  }

  /** log p(v), with gradients where they are asked for; NaN where nobody knows the density. */
  void logDensities(double[] v, double[] logP, double @Nullable [] gradients) {
    switch (score) {
      case DensityBatch density -> density.evaluate(v, logP, gradients);
      case Target target -> logDensities(target, v, logP, gradients);
      case null, default -> Arrays.fill(logP, Double.NaN);
    }
  }

  private void logDensities(
      Target target, double[] v, double[] logP, double @Nullable [] gradients) {
    try (var _ = new PointerScope()) {
      Tensor points =
          model
              .parameters()
              .backend()
              .tensor(v, logP.length, frame.dimensions())
              .set_requires_grad(gradients != null);
      Tensor log = target.logJoint(Observation.none(logP.length), points);
      System.arraycopy(Backend.doubles(log.detach()), 0, logP, 0, logP.length);
      if (gradients != null) {
        log.sum().backward();
        System.arraycopy(Backend.doubles(points.grad()), 0, gradients, 0, gradients.length);
      }
    }
  }

  @Override
  public void close() {
    model.close();
    if (score != null) {
      score.close();
    }
  }
}
