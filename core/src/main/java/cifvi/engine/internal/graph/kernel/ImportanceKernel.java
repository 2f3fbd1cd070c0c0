package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import org.bytedeco.pytorch.Tensor;

/**
 * The importance-weighted bound of several draws of every observation, by {@code importance.cu}.
 */
public record ImportanceKernel(Launcher launcher, int observations, int draws, Tensor importance) {
  private static final int THREADS = 256;

  /** For batches of so many observations, whose draws are adjacent. */
  public ImportanceKernel(Launcher launcher, int observations, int draws, DeviceMemory memory) {
    this(launcher, observations, draws, memory.floats((long) observations * draws));
  }

  /**
   * What the gradient of every row is to be multiplied by.
   *
   * @param objective gets the mean of the bound
   */
  public Tensor run(Tensor logWeight, Tensor objective) {
    launcher.launch(
        "importance_weights",
        1,
        THREADS,
        THREADS * Double.BYTES,
        logWeight,
        observations,
        draws,
        importance,
        objective);
    return importance;
  }
}
