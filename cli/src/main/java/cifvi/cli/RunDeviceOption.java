package cifvi.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where to compute with a run that is there. */
final class RunDeviceOption {
  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "cpu or cuda[:n] (default: as in the run).")
  private @Nullable String name;

  /** Null for where the run was trained. */
  @Nullable String name() {
    return name;
  }
}
