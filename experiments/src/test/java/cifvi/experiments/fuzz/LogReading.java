package cifvi.experiments.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.files.CsvLog;
import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.Likelihoods;
import cifvi.experiments.mog.Evaluations;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.StepRow;
import java.nio.file.Path;
import java.util.List;

/**
 * A log is read as each of the logs there are; the rows of one that fits, written again, are the
 * same rows. As far as lines are good they are read from one that does not.
 */
final class LogReading {
  private static final List<Class<? extends Record>> LOGS =
      List.of(
          StepRow.class,
          EpochRow.class,
          Evaluations.Row.class,
          Likelihoods.Row.class,
          ImageRow.class);

  private LogReading() {}

  static void read(Path file) throws RefusedException {
    Class<? extends Record> fitting = StepRow.class;
    for (Class<? extends Record> log : LOGS) {
      if (!CsvLog.readWhileGood(file, log).isEmpty()) {
        fitting = log;
      }
    }
    read(file, fitting);
  }

  private static <R extends Record> void read(Path file, Class<R> type) throws RefusedException {
    List<R> good = CsvLog.readWhileGood(file, type);
    try {
      assertThat(CsvLog.read(file, type)).isEqualTo(good);
    } catch (UserException e) {
      throw new RefusedException(e);
    } finally {
      CsvLog.from(file, type, good.size()).close();
      assertThat(CsvLog.read(file, type)).isEqualTo(good);
    }
  }
}
