package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.tensor.Rng;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.HashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** Steps by hand-written kernels: a {@link DeviceProgram} for every size of the batch. */
final class ProgramBody implements StepBody {
  private final Model model;
  private final Objective objective;
  private final Launcher launcher;
  private final Map<Long, DeviceProgram> programs = new HashMap<>();

  ProgramBody(Model model, Objective objective, Launcher launcher) {
    this.model = model;
    this.objective = objective;
    this.launcher = launcher;
  }

  @Override
  public Tensor run(Observation x, Rng rng) {
    DeviceProgram program = programs.computeIfAbsent(x.rows(), this::program);
    program.step(x, rng);
    return program.objective().select(0, 0);
  }

  private DeviceProgram program(long rows) {
    return DeviceProgram.learning(model, launcher, Math.toIntExact(rows), objective);
  }

  @Override
  public void refresh() {
    programs.values().forEach(DeviceProgram::refresh);
  }

  @Override
  public String name() {
    return "hand-written kernels";
  }

  @Override
  public void close() {
    programs.values().forEach(DeviceProgram::close);
  }
}
