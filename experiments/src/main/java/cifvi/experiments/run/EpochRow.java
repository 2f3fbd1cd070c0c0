package cifvi.experiments.run;

import cifvi.experiments.files.CsvLog;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One epoch, a line of {@code epochs.csv}.
 *
 * @param epoch counted from 1
 * @param trainElbo mean of the training objective over the epoch's steps
 * @param validElbo mean over the validation images or rows of the bound that is trained: the ELBO
 *     with one draw each, for IWAE its bound with K draws
 * @param runningVariance the largest of all batch norms; null where there is none
 * @param seconds the epoch's training steps took
 */
public record EpochRow(
    long epoch,
    long steps,
    double trainElbo,
    double validElbo,
    double validElboSe,
    double bestValidElbo,
    long badEpochs,
    @Nullable Double runningVariance,
    double seconds) {
  private static final String FILE = "epochs.csv";

  public EpochRow {
    seconds = Math.round(seconds * 1000) / 1000.0;
  }

  /** Appends to the epochs of a run after its first {@code epochs}. */
  public static CsvLog<EpochRow> log(RunDirectory directory, long epochs) {
    return CsvLog.from(directory.file(FILE), EpochRow.class, epochs);
  }

  /** The epochs of a run from the first on, none left out. */
  public static List<EpochRow> readWhileGood(RunDirectory directory) {
    List<EpochRow> rows = CsvLog.readWhileGood(directory.file(FILE), EpochRow.class);
    int count = 0;
    while (count < rows.size() && rows.get(count).epoch() == count + 1) {
      count++;
    }
    return rows.subList(0, count);
  }

  /** The epoch with the best validation bound, the first of equal ones. */
  public static Optional<EpochRow> best(List<EpochRow> epochs) {
    return epochs.stream().filter(row -> row.badEpochs() == 0).reduce((_, later) -> later);
  }

  /** Whether the run is validated after epochs, and has come to the end of one. */
  public static boolean isIn(RunDirectory directory) {
    return directory.has(FILE);
  }

  /** The epochs of a run so far. */
  public static List<EpochRow> read(RunDirectory directory) {
    return CsvLog.read(directory.file(FILE), EpochRow.class);
  }
}
