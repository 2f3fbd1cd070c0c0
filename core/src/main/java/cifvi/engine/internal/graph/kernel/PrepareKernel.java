package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.OpLayout;
import cifvi.engine.internal.graph.program.PrepareJob;
import cifvi.nn.FlatParameters;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** What a step makes of the weights before their first use, by {@code prepare.cu}. */
public final class PrepareKernel {
  private static final int THREADS = 256;
  private static final int SHARED_BYTES = PrepareJob.SIDE * (PrepareJob.SIDE + 1) * Float.BYTES;

  private final Launcher launcher;
  private final FlatParameters flat;
  private final int blocks;
  private final Tensor jobs;

  /** What it makes, and what batch norms make of the batch. */
  public final Tensor prepared;

  public PrepareKernel(
      Launcher launcher, FlatParameters flat, OpLayout layout, DeviceMemory memory) {
    this.launcher = launcher;
    this.flat = flat;
    List<int[]> all = layout.prepareJobs.stream().flatMap(job -> job.blocks().stream()).toList();
    blocks = all.size();
    jobs = memory.integers(all.stream().flatMapToInt(Arrays::stream).toArray());
    prepared = memory.floats(layout.prepared());
  }

  /** Nothing where no linear map asks for it, since a launch of no blocks is refused. */
  public void run() {
    if (blocks > 0) {
      launcher.launch("prepare", blocks, THREADS, SHARED_BYTES, jobs, flat.effective(), prepared);
    }
  }
}
