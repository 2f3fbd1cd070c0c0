package cifvi.cli;

import cifvi.cli.option.RunOptions;
import cifvi.experiments.data.DataDirectory;
import cifvi.experiments.data.DataSet;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which data set, and where it is. */
public final class DataOptions {
  @Parameters(paramLabel = "NAME", description = "mnist or fashion-mnist.")
  private String name;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Holds mnist/ and fashion-mnist/ (default: ~/.cache/cifvi/data).")
  private @Nullable Path dataDir;

  public DataSet set() {
    return RunOptions.choice("NAME", name, DataSet.values());
  }

  public Path dataDir() {
    return dataDir == null ? DataDirectory.byDefault() : dataDir;
  }
}
