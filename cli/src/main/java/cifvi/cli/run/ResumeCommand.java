package cifvi.cli.run;

import cifvi.cli.kind.RunKinds;
import cifvi.cli.option.RunDeviceOption;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.RunDirectory;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi resume DIR}: goes on where a run stopped, bit for bit. */
@Command(
    name = "resume",
    sortOptions = false,
    description = "Go on where a run stopped, with the very numbers it would have had.",
    footer = {
      "With more steps, epochs or patience a run, finished or not, ends as one that was meant so from",
      "the start. What was found out about the shorter one is kept in DIR/earlier/. On another device",
      "it goes on from the same state, draws the same noise and rounds otherwise."
    })
public final class ResumeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "A run directory.")
  private Path directory;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the images are now (default: as in the run).")
  private @Nullable Path dataDir;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Mixtures: train to so many steps in all (default: as in the run).")
  private @Nullable Long steps;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "Images: to so many epochs at most (default: as in the run).")
  private @Nullable Long epochs;

  @Option(
      names = "--patience",
      paramLabel = "N",
      description = "Images: epochs without a better validation bound (default: as in the run).")
  private @Nullable Long patience;

  @Mixin private RunDeviceOption device;

  @Option(
      names = "--restart",
      description = "Train again from step 0; what there is goes to DIR/earlier/.")
  private boolean restart;

  @Override
  public Integer call() {
    var run = RunDirectory.read(directory);
    return RunCommand.resume(spec, RunKinds.of(run), run, how(), dataDir);
  }

  private Continuation how() {
    var larger = new TreeMap<String, Long>();
    put(larger, "steps", steps);
    put(larger, "epochs", epochs);
    put(larger, "patience", patience);
    return new Continuation(larger, restart, device.name());
  }

  private static void put(Map<String, Long> settings, String key, @Nullable Long value) {
    if (value != null) {
      settings.put(key, value);
    }
  }
}
