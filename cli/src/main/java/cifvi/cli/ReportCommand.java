package cifvi.cli;

import cifvi.cli.report.MogReport;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi report DIR...}: one web page about one or more runs. */
@Command(
    name = "report",
    description = "Draw the figures of runs and write one self-contained web page about them.",
    footer = "The figures also go to DIR/figures/. Unfinished runs are shown as they stand.")
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", arity = "1..*", description = "Run directories.")
  private List<Path> runs;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The page (default: report.html in the first DIR).")
  private @Nullable Path out;

  @Override
  public Integer call() {
    Path page = out == null ? runs.getFirst().resolve("report.html") : out;
    MogReport.write(runs, page);
    spec.commandLine().getOut().println(page);
    return ExitCode.DONE;
  }
}
