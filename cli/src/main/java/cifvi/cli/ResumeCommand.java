package cifvi.cli;

import cifvi.experiments.data.ImageData;
import cifvi.experiments.images.ImagesRun;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.mog.MogRun;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.RunDirectory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi resume DIR}: goes on where a run stopped, bit for bit. */
@Command(
    name = "resume",
    description = "Go on where a run stopped, with the very numbers it would have had.")
final class ResumeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "A run directory.")
  private Path directory;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the images are now (default: as in the run).")
  private @Nullable Path dataDir;

  @Override
  public Integer call() {
    var run = RunDirectory.read(directory);
    try (var interrupt = Interrupt.install()) {
      return switch (run.kind()) {
        case MogSpec.KIND -> {
          var console = new MogConsole("training", interrupt);
          yield MogCommand.finish(spec, directory, MogRun.resume(directory, console));
        }
        case ImagesSpec.KIND -> {
          var console = new ImagesConsole(ImagesSpec.read(run), interrupt);
          yield ImagesCommand.finish(
              spec, directory, ImagesRun.resume(directory, this::data, console));
        }
        default -> throw run.unknownKind();
      };
    }
  }

  private ImageData data(ImagesSpec images) {
    return dataDir == null ? images.load() : images.load(dataDir);
  }
}
