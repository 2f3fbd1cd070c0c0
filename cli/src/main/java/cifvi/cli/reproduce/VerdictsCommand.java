package cifvi.cli.reproduce;

import cifvi.cli.option.ExitCode;
import cifvi.cli.progress.Interrupt;
import cifvi.experiments.files.Csv;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.fit.VerdictCase;
import cifvi.experiments.fit.VerdictRow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce verdicts}: whether fits are right about themselves. */
@Command(
    name = "verdicts",
    sortOptions = false,
    description = "Fits of targets with known answers: the verdict of each beside its true error.",
    footer = {
      "A line for every fit goes to the file as soon as it is done; those that are there are not done",
      "again. All 72 take about a quarter of an hour."
    })
public final class VerdictsCommand implements Callable<Integer> {
  private static final int[] SHOWN = {0, 2, 3, 4, 5, 6, 9, 14, 15, 17};

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      defaultValue = "runs/verdicts.csv",
      description = "Where the table goes (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "Of every fit (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of every fit; another one needs another file (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--only",
      paramLabel = "TARGET",
      description = "The fits of one target (default: of all).")
  private String only = "";

  @Override
  public Integer call() {
    PrintWriter text = spec.commandLine().getOut();
    List<VerdictCase> cases =
        VerdictCase.all().stream().filter(c -> only.isEmpty() || c.target().equals(only)).toList();
    try (var interrupt = Interrupt.install()) {
      List<List<String>> done = read();
      print(text, VerdictRow.HEADER);
      for (VerdictCase each : cases) {
        List<String> row =
            done.stream().filter(cells -> isOf(each, cells)).findFirst().orElse(null);
        if (row == null) {
          if (interrupt.requested()) {
            return ExitCode.INTERRUPTED;
          }
          row = each.run(threads, seed).cells();
          append(row);
          done.add(row);
        }
        print(text, row);
      }
      summary(text, done);
      return ExitCode.DONE;
    } catch (IOException e) {
      throw new UserException(out + ": " + WholeFile.reason(e), e);
    }
  }

  private static boolean isOf(VerdictCase each, List<String> cells) {
    String steps = each.steps() == 0 ? "default" : Long.toString(each.steps());
    return cells.get(0).equals(each.target())
        && cells.get(2).equals(each.family().toString())
        && cells.get(3).equals(steps)
        && cells.get(4).equals(Integer.toString(each.starts()));
  }

  private List<List<String>> read() throws IOException {
    var rows = new ArrayList<List<String>>();
    if (Files.exists(out)) {
      Csv.read(Files.readString(out), line -> rows.add(line.cells()));
      rows.removeFirst();
    }
    return rows;
  }

  private void append(List<String> row) throws IOException {
    if (!Files.exists(out)) {
      if (out.toAbsolutePath().getParent() != null) {
        Files.createDirectories(out.toAbsolutePath().getParent());
      }
      Files.writeString(out, Csv.line(VerdictRow.HEADER));
    }
    Files.writeString(out, Csv.line(row), StandardOpenOption.APPEND);
  }

  private static void print(PrintWriter text, List<String> cells) {
    Object[] shown = new Object[SHOWN.length];
    for (int i = 0; i < shown.length; i++) {
      shown[i] =
          cells
              .get(SHOWN[i])
              .replace("resampled_error", "resampled")
              .replace("wide_k_hat", "wide_k");
    }
    text.printf("%-23s %-10s %7s %6s  %-7s %6s %7s %6s %9s  %s%n", shown);
    text.flush();
  }

  private static void summary(PrintWriter text, List<List<String>> rows) {
    text.printf("%n%-9s %6s %13s %13s%n", "verdict", "right", "too trusting", "too cautious");
    for (String verdict : List.of("good", "usable", "poor")) {
      text.printf(
          "%-9s %6d %13d %13d%n",
          verdict,
          count(rows, verdict, "right"),
          count(rows, verdict, "too trusting"),
          count(rows, verdict, "too cautious"));
    }
    text.flush();
  }

  private static long count(List<List<String>> rows, String verdict, String judged) {
    return rows.stream()
        .filter(cells -> cells.get(5).equals(verdict) && cells.getLast().equals(judged))
        .count();
  }
}
