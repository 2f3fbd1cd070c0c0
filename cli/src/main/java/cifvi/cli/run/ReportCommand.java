package cifvi.cli.run;

import cifvi.cli.kind.RunKinds;
import cifvi.cli.option.ExitCode;
import cifvi.cli.option.RunDeviceOption;
import cifvi.cli.report.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi report DIR...}: one web page about one or more runs. */
@Command(
    name = "report",
    description = "Draw the figures of runs and write one self-contained web page about them.",
    footer = {
      "All runs of a page are of one kind: mog, images or fit. Without --out the figures also",
      "go to DIR/figures/; with it nothing is written into runs. Unfinished ones are shown as they stand."
    })
public final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", arity = "1..*", description = "Run directories.")
  private List<Path> runs;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The page (default: report.html in the first DIR).")
  private @Nullable Path out;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Folder with mnist/ and fashion-mnist/ (default: the one a run used).")
  private @Nullable Path dataDir;

  @Mixin private RunDeviceOption device;

  @Override
  public Integer call() {
    Path page = Report.write(runs, out, RunKinds.reader(dataDir, device.name()));
    spec.commandLine().getOut().println(page);
    return ExitCode.DONE;
  }
}
