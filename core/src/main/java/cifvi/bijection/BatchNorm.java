package cifvi.bijection;

import cifvi.nn.Parameters;
import cifvi.tensor.Scalars;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * z = (w - m) / √(v + ε) · e^{log_scale} + shift, per feature.
 *
 * <p>In training, m and v are the mean and the biased variance of the batch, and gradients flow
 * through them; otherwise they are running averages. A forward pass changes no buffer: the averages
 * take the last batch in when the step is done ({@link Parameters#afterStep}). The inverse always
 * uses the running averages.
 */
public final class BatchNorm implements Bijection {
  /** Keeps the variance from zero. */
  public static final double EPSILON = 1e-5;

  /** What a batch counts for in the running averages. */
  public static final double MOMENTUM = 0.1;

  private record Statistics(Tensor mean, Tensor variance) {}

  private final int features;
  private final Parameters parameters;
  private final Tensor shift;
  private final Tensor logScale;
  private final Statistics running;
  private @Nullable Statistics lastBatch;

  public BatchNorm(Parameters parameters, int features) {
    this.features = features;
    this.parameters = parameters;
    var backend = parameters.backend();
    shift = parameters.add("shift", backend.zeros(features));
    logScale = parameters.add("log_scale", backend.zeros(features));
    running =
        new Statistics(
            parameters.buffer("running_mean", backend.zeros(features)),
            parameters.buffer("running_var", backend.full(1, features)));
    parameters.afterStep(this::foldLastBatch);
    parameters.whenMeasured(this::keepLastBatch);
  }

  @Override
  public Mapped forward(Tensor w) {
    Shapes.require("w", w, Shapes.BATCH, features);
    Statistics used = parameters.training() ? batch(w) : running;
    Tensor variance = used.variance.add(Scalars.of(EPSILON));
    Tensor z = w.sub(used.mean).div(variance.sqrt()).mul(logScale.exp()).add(shift);
    return new Mapped(z, logDet(variance).expand(w.size(0)));
  }

  @Override
  public Mapped inverse(Tensor z) {
    Shapes.require("z", z, Shapes.BATCH, features);
    Tensor variance = running.variance.add(Scalars.of(EPSILON));
    Tensor w = z.sub(shift).mul(logScale.neg().exp()).mul(variance.sqrt()).add(running.mean);
    return new Mapped(w, logDet(variance).neg().expand(z.size(0)));
  }

  private Statistics batch(Tensor w) {
    Tensor mean = w.mean(0);
    Tensor centred = w.sub(mean);
    var statistics = new Statistics(mean, centred.mul(centred).mean(0));
    lastBatch = statistics;
    return statistics;
  }

  /** Tells it the mean and the biased variance of a batch that an engine normalised itself. */
  public void observe(double[] mean, double[] variance) {
    var backend = parameters.backend();
    lastBatch = new Statistics(backend.tensor(mean, features), backend.tensor(variance, features));
  }

  /**
   * For an input divided by {@code scale}, {@code [d]}, from now on: in training the output is the
   * same, and with running averages the same again once they are divided as well; but for ε.
   */
  public void divideInputBy(Tensor scale) {
    try (var _ = new NoGradGuard()) {
      running.mean.div_(scale);
      running.variance.div_(scale.square());
    }
  }

  public Tensor shift() {
    return shift;
  }

  public Tensor logScale() {
    return logScale;
  }

  public Tensor runningMean() {
    return running.mean;
  }

  public Tensor runningVariance() {
    return running.variance;
  }

  private Tensor logDet(Tensor variance) {
    return logScale.sub(variance.log(), Scalars.of(0.5)).sum();
  }

  private void foldLastBatch() {
    if (lastBatch == null) {
      return;
    }
    try (var _ = new NoGradGuard()) {
      fold(running.mean, lastBatch.mean);
      fold(running.variance, lastBatch.variance);
    }
    lastBatch = null;
  }

  private void keepLastBatch() {
    if (lastBatch == null) {
      return;
    }
    try (var _ = new NoGradGuard()) {
      running.mean.copy_(lastBatch.mean);
      running.variance.copy_(lastBatch.variance);
    }
    lastBatch = null;
  }

  private static void fold(Tensor average, Tensor latest) {
    average.mul_(Scalars.of(1 - MOMENTUM)).add_(latest.detach(), Scalars.of(MOMENTUM));
  }
}
