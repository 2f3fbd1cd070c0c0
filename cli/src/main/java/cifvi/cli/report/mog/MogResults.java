package cifvi.cli.report.mog;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.ResultTable;
import cifvi.experiments.mog.MogResult;
import java.util.List;
import java.util.stream.IntStream;

/** The table of mixture runs. */
public final class MogResults {
  private static final List<String> NUMBERS =
      List.of(
          "ELBO",
          "marginal ELBO, bracket",
          "effective modes",
          "modes covered",
          "log Z",
          "parameters",
          "seconds");

  private MogResults() {}

  public static ResultTable table(List<MogReportRun> runs, List<String> labels) {
    return new ResultTable(
        "± is one standard error.",
        NUMBERS,
        IntStream.range(0, runs.size()).mapToObj(i -> row(runs.get(i), i, labels.get(i))).toList());
  }

  private static ResultTable.Row row(MogReportRun run, int number, String label) {
    return new ResultTable.Row(
        number,
        label,
        run.result().map(MogResults::numbers).orElse(List.of()),
        MogFindings.unfinished(run));
  }

  private static List<String> numbers(MogResult r) {
    return List.of(
        withError(Numerals.estimate(r.elbo()), r.elbo(), r.elboSe()),
        withError(bracket(r), r.marginalElbo(), r.marginalElboSe()),
        Numerals.fixed(r.effectiveModes(), 2),
        r.modesCovered() + " of " + r.components(),
        withError(Numerals.estimate(r.logZ()), r.logZ(), r.logZSe()),
        Numerals.whole(r.parameters()),
        Numerals.fixed(r.seconds(), 0));
  }

  private static String bracket(MogResult r) {
    return "["
        + Numerals.estimate(r.marginalElboLower())
        + ", "
        + Numerals.estimate(r.marginalElbo())
        + "]";
  }

  private static String withError(String text, double value, double error) {
    return ResultTable.withError(text, Numerals.error(value, error));
  }
}
