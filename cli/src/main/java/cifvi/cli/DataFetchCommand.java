package cifvi.cli;

import cifvi.cli.option.ExitCode;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.progress.ProgressLine;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.data.Fetch;
import cifvi.experiments.data.FetchListener;
import cifvi.experiments.data.LocalFolder;
import cifvi.experiments.data.Mirrors;
import cifvi.experiments.data.Source;
import cifvi.experiments.files.UserException;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi data fetch NAME}: from the public mirrors, from another one, or from a folder. */
@Command(
    name = "fetch",
    sortOptions = false,
    description = "Get a data set; what is there and good is left alone.",
    footer = "Stopped by Ctrl-C, it goes on where it was when called again.")
public final class DataFetchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private DataOptions data;

  @Option(
      names = "--from",
      paramLabel = "DIR",
      description = "Take the files from below this folder, as a package unpacks.")
  private @Nullable Path from;

  @Option(
      names = "--mirror",
      paramLabel = "URL",
      description = "Download from this folder of the web instead of the public mirrors.")
  private @Nullable String mirror;

  @Override
  public Integer call() {
    DataSet set = data.set();
    try (var interrupt = Interrupt.install()) {
      return fetch(set, source(set), new Console(interrupt));
    }
  }

  private int fetch(DataSet set, Source source, Console console) {
    try {
      Fetch.run(set, data.dataDir(), source, console);
    } catch (Progress.StoppedException _) {
      spec.commandLine().getErr().println("stopped; the same command goes on from here");
      return ExitCode.INTERRUPTED;
    }
    spec.commandLine()
        .getOut()
        .println(set.title() + " is in " + data.dataDir().resolve(set.toString()));
    return ExitCode.DONE;
  }

  private Source source(DataSet set) {
    if (from != null && mirror != null) {
      throw new UserException("--from and --mirror exclude each other: choose one");
    }
    if (from != null) {
      return new LocalFolder(from);
    }
    return mirror == null
        ? Mirrors.of(set, data.dataDir())
        : Mirrors.of(mirror, set, data.dataDir());
  }

  /** Shows the work on stderr and stops it when Ctrl-C asks for it. */
  private static final class Console implements FetchListener {
    private final ProgressLine line = ProgressLine.onStderr();
    private final Interrupt interrupt;

    Console(Interrupt interrupt) {
      this.interrupt = interrupt;
    }

    @Override
    public void note(String text) {
      line.note(text);
    }

    @Override
    public boolean fetching(String file, long done, long of) {
      line.show(file, done, of, "bytes");
      return !interrupt.requested();
    }
  }
}
