package cifvi.cli.report;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Where the figures of runs are drawn before the page takes them in: in the runs' own folders, or
 * in a passing one, so that nothing of the runs is touched.
 *
 * @param passing null for the runs' own
 */
public record FigureFolders(@Nullable Path passing) implements AutoCloseable {
  public static FigureFolders ofRuns() {
    return new FigureFolders(null);
  }

  public static FigureFolders apart() {
    try {
      return new FigureFolders(Files.createTempDirectory("cifvi-figures"));
    } catch (IOException e) {
      throw cannotDraw(e);
    }
  }

  /** The folder of a run; asked for once. */
  public Path of(RunDirectory run) {
    try {
      return passing == null ? run.file("figures") : Files.createTempDirectory(passing, "run");
    } catch (IOException e) {
      throw cannotDraw(e);
    }
  }

  private static UserException cannotDraw(IOException e) {
    return new UserException("figures: cannot be drawn: " + WholeFile.reason(e), e);
  }

  @Override
  public void close() {
    if (passing == null) {
      return;
    }
    try (var files = Files.walk(passing)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException _) {
      // what stays behind lies in the system's folder for passing files
    }
  }
}
