package cifvi.cli.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where to compute with a run that is there. */
public final class RunDeviceOption {
  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "cpu or cuda[:n] (default: as in the run).")
  private @Nullable String name;

  /** Null for where the run was trained. */
  public @Nullable String name() {
    return name;
  }
}
