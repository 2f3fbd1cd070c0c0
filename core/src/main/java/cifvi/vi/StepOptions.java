package cifvi.vi;

import java.util.OptionalDouble;

/**
 * What every engine is told of its steps, beside model and objective.
 *
 * @param clip largest global norm of a gradient, empty for no clipping
 * @param seed of the noise, which is counter-based
 * @param threads of kernels on the processor; other engines have those of libtorch
 */
public record StepOptions(OptionalDouble clip, long seed, int threads) {
  /** Added to the norm that a gradient is divided by, as in PyTorch. */
  public static final double CLIP_EPSILON = 1e-6;

  public StepOptions {
    if (clip.isPresent() && !(clip.getAsDouble() > 0 && Double.isFinite(clip.getAsDouble()))) {
      throw new IllegalArgumentException(
          "clip: expected a positive number, got " + clip.getAsDouble());
    }
    requireThreads(threads);
  }

  /** Refuses a number of threads with which nothing can run. */
  public static void requireThreads(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads: expected at least 1, got " + threads);
    }
  }

  /** What clipping multiplies a gradient of this norm by, at most 1. */
  public double factor(double norm) {
    return clip.isPresent() ? Math.min(1, clip.getAsDouble() / (norm + CLIP_EPSILON)) : 1;
  }
}
