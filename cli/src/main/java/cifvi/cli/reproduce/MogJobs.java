package cifvi.cli.reproduce;

import cifvi.cli.progress.Interrupt;
import cifvi.cli.sweep.Child;
import cifvi.cli.sweep.DeviceMemory;
import cifvi.cli.sweep.SweepConsole;
import cifvi.cli.sweep.SweepRunner;
import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.Sweep;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Trains the runs of a grid several at a time, each in a process of its own. */
public record MogJobs(MogGrid grid, Path out) {
  /** Runs that fail are left to whoever takes up the grid next. */
  public void train(int jobs, Interrupt interrupt) {
    RunSpec.requireCount("--jobs", jobs, SweepRunner.MOST_JOBS);
    if (jobs == 1) {
      return;
    }
    var devices = grid.specs().stream().map(MogSpec::device).collect(Collectors.toSet());
    var share = DeviceMemory.share(devices, jobs);
    try (var sweep =
        Sweep.open(out, cells(), (cell, to) -> Child.start(cell, to, share), () -> jobs, 0)) {
      sweep.run(SweepConsole.onStderr(() -> jobs, out, interrupt));
    }
    if (interrupt.requested()) {
      throw new Progress.StoppedException();
    }
  }

  public List<Cell> cells() {
    return grid.specs().stream()
        .map(spec -> SpecCell.of(MogGrid.directory(spec), spec, List.of("sigma0", "seed")))
        .toList();
  }
}
