package cifvi.experiments.run;

import cifvi.experiments.files.CsvLog;
import java.util.List;

/** One training step, a line of {@code metrics.csv}. */
public record StepRow(long step, double elbo, double gradNorm, double learningRate, double ms) {
  private static final String FILE = "metrics.csv";

  public StepRow {
    ms = Math.round(ms * 1000) / 1000.0;
  }

  /** Appends to the metrics of a run after its first {@code steps} steps. */
  public static CsvLog<StepRow> log(RunDirectory directory, long steps) {
    return CsvLog.from(directory.file(FILE), StepRow.class, steps);
  }

  /** How many steps of a run are told of from the first on, none left out. */
  static long count(RunDirectory directory) {
    List<StepRow> rows = CsvLog.readWhileGood(directory.file(FILE), StepRow.class);
    int count = 0;
    while (count < rows.size() && rows.get(count).step() == count) {
      count++;
    }
    return count;
  }

  /** The steps of a run so far. */
  public static List<StepRow> read(RunDirectory directory) {
    return CsvLog.read(directory.file(FILE), StepRow.class);
  }
}
