package cifvi;

import cifvi.start.internal.Frame;
import cifvi.start.internal.Score;
import cifvi.target.HostTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Calls a {@link LogDensity} for every draw of a batch, in the threads it allows.
 *
 * <p>Where it has no answer, a draw has log p = -∞ when it is evaluated. In training, which needs
 * finite numbers, it is scored as a normal around the draws of its batch that have one, below the
 * worst of them: its gradient leads back to them.
 */
final class DensityBatch implements HostTarget.Densities, Score {
  private final LogDensity density;
  private final Frame frame;
  private final Faults faults;
  private final int threads;
  private final @Nullable ExecutorService executor;
  private double beta = 1;
  private long nanos;

  DensityBatch(LogDensity density, Frame frame, Faults faults, int threads) {
    this.density = density;
    this.frame = frame;
    this.faults = faults;
    this.threads = threads;
    executor =
        switch (density.calls()) {
          case ONE_AT_A_TIME -> null;
          case PARALLEL ->
              threads == 1 ? null : Executors.newFixedThreadPool(threads, this::thread);
          case VIRTUAL -> Executors.newVirtualThreadPerTaskExecutor();
        };
  }

  private Thread thread(Runnable task) {
    return Thread.ofPlatform().daemon().name("cifvi-density").unstarted(task);
  }

  @Override
  public Target target(Backend backend) {
    return new HostTarget(backend, this);
  }

  @Override
  public void temper(double beta) {
    this.beta = beta;
  }

  @Override
  public void evaluate(double[] v, double[] logP, double @Nullable [] gradients) {
    answers(v, logP, gradients);
    if (gradients != null) {
      scoreFailures(v, logP, gradients);
      if (beta < 1) {
        bridge(v, logP, gradients);
      }
    }
  }

  /** p^β N(v; 0, 1)^(1 - β) in place of p. */
  private void bridge(double[] v, double[] logP, double[] gradients) {
    int d = frame.dimensions();
    for (int row = 0; row < logP.length; row++) {
      logP[row] *= beta;
      for (int i = row * d; i < (row + 1) * d; i++) {
        logP[row] -= (1 - beta) * (0.5 * v[i] * v[i] + HALF_LOG_2_PI);
        gradients[i] = beta * gradients[i] - (1 - beta) * v[i];
      }
    }
  }

  @Override
  public void answers(double[] v, double[] logP, double @Nullable [] gradients) {
    long start = System.nanoTime();
    int rows = logP.length;
    if (executor == null) {
      rows(v, logP, gradients, 0, 1);
    } else {
      int tasks = density.calls() == LogDensity.Calls.VIRTUAL ? rows : Math.min(threads, rows);
      var all =
          IntStream.range(0, tasks)
              .<Future<?>>mapToObj(t -> executor.submit(() -> rows(v, logP, gradients, t, tasks)))
              .toList();
      all.forEach(DensityBatch::await);
    }
    nanos += System.nanoTime() - start;
  }

  private static void await(Future<?> task) {
    try {
      task.get();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the density was called", e);
    }
  }

  private void rows(
      double[] v, double[] logP, double @Nullable [] gradients, int first, int stride) {
    int d = frame.dimensions();
    double[] gradient = new double[d];
    for (int row = first; row < logP.length; row += stride) {
      double[] z = frame.toZ(v, row);
      logP[row] = at(z, gradient) + frame.logDet();
      if (gradients != null) {
        frame.pullBack(gradient, gradients, row);
      }
    }
  }

  /** log p(z), or -∞ where the density has no answer. */
  double at(double[] z, double[] gradient) {
    faults.called();
    Arrays.fill(gradient, 0);
    double value;
    try {
      value = density.at(z.clone(), gradient);
    } catch (RuntimeException e) {
      faults.failed(z, e.toString());
      return Double.NEGATIVE_INFINITY;
    }
    if (!Double.isFinite(value)) {
      faults.failed(z, "log p = " + value);
      return Double.NEGATIVE_INFINITY;
    }
    for (int i = 0; i < gradient.length; i++) {
      if (!Double.isFinite(gradient[i])) {
        faults.failed(z, "gradient[" + i + "] = " + gradient[i]);
        return Double.NEGATIVE_INFINITY;
      }
    }
    return value;
  }

  private void scoreFailures(double[] v, double[] logP, double[] gradients) {
    int good = (int) Arrays.stream(logP).filter(Double::isFinite).count();
    if (good == logP.length || good == 0) {
      return;
    }
    int d = frame.dimensions();
    double worst = Arrays.stream(logP).filter(Double::isFinite).min().orElseThrow();
    int[] answered =
        IntStream.range(0, logP.length).filter(i -> Double.isFinite(logP[i])).toArray();
    boolean[] failed = new boolean[logP.length];
    for (int row = 0; row < failed.length; row++) {
      failed[row] = !Double.isFinite(logP[row]);
      if (failed[row]) {
        logP[row] = worst;
      }
    }
    for (int c = 0; c < d; c++) {
      double mean = 0;
      double square = 0;
      for (int row : answered) {
        mean += v[row * d + c] / good;
      }
      for (int row : answered) {
        square += Math.pow(v[row * d + c] - mean, 2) / good;
      }
      double variance = Math.max(square, 1e-6);
      for (int row = 0; row < failed.length; row++) {
        if (failed[row]) {
          double away = v[row * d + c] - mean;
          logP[row] -= 0.5 * away * away / variance;
          gradients[row * d + c] = -away / variance;
        }
      }
    }
  }

  @Override
  public double seconds() {
    return nanos / 1e9;
  }

  @Override
  public Precision precision() {
    return Precision.FLOAT64;
  }

  @Override
  public void close() {
    if (executor != null) {
      executor.close();
    }
  }
}
