package cifvi.engine.graph;

import org.bytedeco.pytorch.Tensor;

/**
 * The importance-weighted bound of several draws of every observation, by {@code importance.cu}.
 */
final class ImportanceKernel {
  private static final int THREADS = 256;

  private final Launcher launcher;
  private final int rows;
  private final int draws;
  private final Tensor importance;

  /**
   * For so many rows in all.
   *
   * @param draws how many adjacent ones share an observation
   */
  ImportanceKernel(Launcher launcher, int rows, int draws, ProgramMemory memory) {
    this.launcher = launcher;
    this.rows = rows;
    this.draws = draws;
    importance = memory.floats(rows);
  }

  /**
   * What the gradient of every row is to be multiplied by.
   *
   * @param objective gets the mean of the bound
   */
  Tensor run(Tensor logWeight, Tensor objective) {
    launcher.launch(
        ProgramSource.IMPORTANCE_WEIGHTS,
        1,
        THREADS,
        THREADS * Double.BYTES,
        logWeight,
        rows / draws,
        draws,
        importance,
        objective);
    return importance;
  }
}
