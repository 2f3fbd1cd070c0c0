package cifvi.cli.reproduce;

import cifvi.cli.option.ExitCode;
import cifvi.cli.option.RunDeviceOption;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.sweep.Child;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.paper.Column;
import cifvi.experiments.paper.ImageRun;
import cifvi.experiments.paper.Method;
import cifvi.experiments.paper.Table5;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce table5}: the variance of the log-likelihood estimator. */
@Command(
    name = "table5",
    sortOptions = false,
    description = "Images, small decoder: variance of the test log-likelihood over evaluations.",
    footer =
        "For the finished runs of table1; with --run the evaluations they lack are made first.")
public final class Table5Command implements Callable<Integer> {
  private static final String ROW = "  %-26s %12s %12s %12s   %s%n";

  @Spec private CommandSpec spec;

  @Mixin private TableOptions options;

  @Option(
      names = "--importance-samples",
      paramLabel = "S",
      defaultValue = "1000",
      description = "Of the evaluations (default: ${DEFAULT-VALUE}).")
  private int importanceSamples;

  @Option(names = "--run", description = "Make the evaluations that are missing.")
  private boolean run;

  @Mixin private RunDeviceOption device;

  @Override
  public Integer call() {
    int exitCode = run ? evaluate() : ExitCode.DONE;
    if (exitCode != ExitCode.INTERRUPTED) {
      print();
    }
    return exitCode;
  }

  private Table5 table() {
    return new Table5(options.table(List.of(Decoder.SMALL)), importanceSamples);
  }

  private List<String> command(ImageRun run) {
    var command =
        new ArrayList<String>(
            List.of(
                "evaluate",
                run.path().toString(),
                "--importance-samples",
                Integer.toString(importanceSamples),
                "--repeat",
                Integer.toString(Table5.REPEATS)));
    if (device.name() != null) {
      command.addAll(List.of("--device", device.name()));
    }
    return command;
  }

  /** One run after another: each takes all the memory an evaluation may. */
  private int evaluate() {
    PrintWriter err = spec.commandLine().getErr();
    int failed = 0;
    try (var interrupt = Interrupt.install()) {
      for (ImageRun run : table().missing()) {
        var folder = new CellFolder(run.path());
        err.println("cifvi " + String.join(" ", command(run)) + " > " + folder.log());
        err.flush();
        Process process = Child.start(command(run), folder.log());
        while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
          if (interrupt.requested()) {
            process.destroy();
          }
        }
        if (interrupt.requested()) {
          err.println("go on with the same command");
          return ExitCode.INTERRUPTED;
        }
        if (process.exitValue() != 0) {
          failed++;
          folder.logTail(1).forEach(err::println);
        }
      }
    } catch (IOException e) {
      throw new UserException("an evaluation cannot be started: " + WholeFile.reason(e), e);
    } catch (InterruptedException _) {
      return ExitCode.INTERRUPTED;
    }
    return failed == 0 ? ExitCode.DONE : ExitCode.FAILED;
  }

  private void print() {
    PrintWriter out = spec.commandLine().getOut();
    Table5 table = table();
    out.printf(
        "Table 5: variance of the test log-likelihood over %d evaluations of one run (n - 1 in the%n"
            + "denominator), S = %d, small decoder, averaged over runs%n",
        Table5.REPEATS, importanceSamples);
    for (Column column : table.runs().columns()) {
      out.printf("%n%s%n", column.label());
      out.printf(ROW, "", "re-binarised", "fixed", "paper", "runs");
      for (Method method : table.runs().rows()) {
        out.printf(
            ROW,
            method.label(),
            text(table.ours(method, column, TestBinarisation.FRESH)),
            text(table.ours(method, column, TestBinarisation.FIXED)),
            text(Table5.paper(method.model(), column)),
            table.count(method, column, TestBinarisation.FRESH));
      }
    }
    List<ImageRun> missing = table.missing();
    if (!missing.isEmpty()) {
      out.printf("%nstill to be evaluated (--run does it):%n");
      missing.forEach(run -> out.println("  cifvi " + String.join(" ", command(run))));
    }
    out.flush();
  }

  private static String text(OptionalDouble variance) {
    return variance.isPresent() ? String.format(Locale.ROOT, "%.2e", variance.getAsDouble()) : "–";
  }
}
