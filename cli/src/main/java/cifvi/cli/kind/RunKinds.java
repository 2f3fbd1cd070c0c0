package cifvi.cli.kind;

import cifvi.cli.report.Report;
import cifvi.experiments.run.RunDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All kinds of runs there are. */
public final class RunKinds {
  private static final List<RunKind<?, ?>> ALL =
      List.of(new MogKind(), new ImagesKind(), new FitKind(), new DensityKind());

  private RunKinds() {}

  /** The kind of a run; refuses one that this version does not know. */
  public static RunKind<?, ?> of(RunDirectory directory) {
    return named(directory.kind())
        .orElseThrow(() -> directory.unknownKind(ALL.stream().map(RunKind::name).toList()));
  }

  /**
   * Reads the runs of a page, whatever they are.
   *
   * @param dataDir where data is; null for where each run found it
   * @param device where to compute; null for where each run was trained
   */
  public static Report.Reader reader(@Nullable Path dataDir, @Nullable String device) {
    return (runs, figures) -> of(runs.getFirst()).contents(runs, dataDir, device, figures);
  }

  public static Optional<RunKind<?, ?>> named(String name) {
    return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
  }
}
