package cifvi.cli.sweep;

import cifvi.experiments.sweep.Sweep;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntSupplier;

/** This machine: each cell is a process. */
record Here(SweepPlan plan, Path out) implements Place {
  @Override
  public IntSupplier atATime() {
    int fitting = plan.atATime();
    return () -> fitting;
  }

  @Override
  public Sweep.Starter starter(int atATime) {
    Map<String, String> share = DeviceMemory.share(plan.cudaDevices(), atATime);
    return (cell, folder) -> Child.start(cell, folder, share);
  }

  @Override
  public String address() {
    return out.toString();
  }
}
