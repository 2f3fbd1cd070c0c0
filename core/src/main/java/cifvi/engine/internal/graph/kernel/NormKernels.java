package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Program;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;

/**
 * What batch norms do besides taking rows along, see {@code batchnorm.cuh}: whatever looks at the
 * whole batch is work for the last block of {@link InterpreterKernel}'s launches.
 */
public final class NormKernels {
  private static final int THREADS = 128;

  private final Launcher launcher;
  private final int count;
  private final Map<Program.Norm, Tensor> batches = new HashMap<>();
  private final Tensor averages;

  public NormKernels(
      Launcher launcher,
      List<Program.Norm> norms,
      TapeView tape,
      Tensor prepared,
      DeviceMemory memory) {
    this.launcher = launcher;
    count = norms.size();
    norms.forEach(norm -> batches.put(norm, memory.integers(batch(norm, tape))));
    averages = memory.longs(norms.stream().flatMapToLong(n -> averages(n, prepared)).toArray());
  }

  private static int[] batch(Program.Norm norm, TapeView tape) {
    return new int[] {
      tape.table().saved()[norm.w().number()],
      tape.table().gradientSaved()[norm.z().number()],
      norm.w().size(),
      norm.shared(),
      norm.shift(),
      norm.logScale()
    };
  }

  private static LongStream averages(Program.Norm norm, Tensor prepared) {
    return LongStream.of(
        prepared.data_ptr().address() + (long) norm.shared() * Float.BYTES,
        norm.norm().runningMean().data_ptr().address(),
        norm.norm().runningVariance().data_ptr().address(),
        norm.w().size());
  }

  /** Where a block that looks at the whole batch finds what it needs. */
  public Tensor batch(Program.Norm norm) {
    return Objects.requireNonNull(batches.get(norm));
  }

  /**
   * Running averages take the last batch in.
   *
   * @param applied whether its step was applied, a Boolean on the device
   */
  public void fold(Tensor applied) {
    if (count > 0) {
      launcher.launch("fold_averages", count, THREADS, 0, averages, applied);
    }
  }

  /** Running averages in place of the mean and the variance of a batch. */
  public void take() {
    if (count > 0) {
      launcher.launch("take_averages", count, THREADS, 0, averages);
    }
  }
}
