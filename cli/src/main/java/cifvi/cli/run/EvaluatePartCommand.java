package cifvi.cli.run;

import cifvi.cli.cluster.ClusterParts;
import cifvi.cli.kind.EvaluateOptions;
import cifvi.cli.kind.PartRequest;
import cifvi.cli.kind.RunKinds;
import cifvi.cli.option.ExitCode;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.files.UserException;
import cifvi.experiments.parts.PartRow;
import cifvi.experiments.parts.Parts.Range;
import cifvi.experiments.run.RunDirectory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a task of {@code cifvi evaluate --master} runs: some units of one estimate. */
@Command(
    name = ClusterParts.COMMAND,
    hidden = true,
    sortOptions = false,
    description = "Compute a part of an estimate; started by cifvi evaluate --master.")
public final class EvaluatePartCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "A finished run, which is only read.")
  private Path path;

  @Option(names = "--units", paramLabel = "FROM:TO", required = true, description = "Which part.")
  private String units;

  @Option(names = "--to", paramLabel = "FILE", required = true, description = "Where it goes.")
  private Path to;

  @Option(names = "--repeat-number", paramLabel = "R", description = "Of which estimate.")
  private int repeat;

  @Option(names = "--fresh", description = "Images: binarised anew.")
  private boolean fresh;

  @Option(names = "--outer", paramLabel = "N", description = "As for evaluate.")
  private @Nullable Long outer;

  @Option(names = "--inner", paramLabel = "M", description = "As for evaluate.")
  private @Nullable Long inner;

  @Option(names = "--importance-samples", paramLabel = "S", description = "As for evaluate.")
  private @Nullable Integer importanceSamples;

  @Option(names = "--limit-test", paramLabel = "N", description = "As for evaluate.")
  private @Nullable Integer limitTest;

  @Option(names = "--data-dir", paramLabel = "DIR", description = "As for evaluate.")
  private @Nullable Path dataDir;

  @Option(names = "--chunk", paramLabel = "C", description = "As for evaluate.")
  private @Nullable Integer chunk;

  @Option(names = "--device", paramLabel = "NAME", description = "As for evaluate.")
  private @Nullable String device;

  @Override
  public Integer call() {
    if (!units.matches("\\d{1,18}:\\d{1,18}")) {
      throw new UserException("--units: expected FROM:TO, got " + units);
    }
    int colon = units.indexOf(':');
    var range =
        new Range(
            Long.parseLong(units.substring(0, colon)), Long.parseLong(units.substring(colon + 1)));
    var options =
        new EvaluateOptions(
            device, outer, inner, importanceSamples, limitTest, null, dataDir, 1, chunk, null);
    var request = new PartRequest(options, repeat, fresh, range);
    try (var directory = RunDirectory.read(path);
        var log = CsvLog.from(to, PartRow.class, 0)) {
      RunKinds.of(directory).part(directory, request).forEach(log::add);
    }
    return ExitCode.DONE;
  }
}
