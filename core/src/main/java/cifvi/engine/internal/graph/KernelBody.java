package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.kernel.DeviceBuffers;
import cifvi.tensor.Rng;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.pytorch.Tensor;

/** Steps by hand-written kernels: a {@link DevicePass} for every size of the batch. */
record KernelBody(Model model, Objective objective, Launcher launcher, Map<Long, DevicePass> passes)
    implements StepBody {
  KernelBody(Model model, Objective objective, Launcher launcher) {
    this(model, objective, launcher, new HashMap<>());
  }

  @Override
  public Tensor run(Observation x, Rng rng) {
    DevicePass pass = passes.computeIfAbsent(x.rows(), this::pass);
    pass.step(x, rng);
    return pass.objective().select(0, 0);
  }

  /** Running averages by a kernel that knows whether to change them. */
  @Override
  public void stepDone(Observation x, Tensor applied, DeviceBuffers buffers) {
    boolean all = Objects.requireNonNull(passes.get(x.rows())).fold(applied);
    if (!all) {
      buffers.stepDone(applied);
    }
  }

  private DevicePass pass(long rows) {
    return DevicePass.training(model, launcher, Math.toIntExact(rows), objective);
  }

  @Override
  public void refresh() {
    passes.values().forEach(DevicePass::refresh);
  }

  @Override
  public String name() {
    return "hand-written kernels";
  }

  @Override
  public void close() {
    passes.values().forEach(DevicePass::close);
  }
}
