package cifvi.cli.report;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The page about runs of one kind: one HTML file, which needs nothing else, holds their figures
 * together with the numbers.
 */
public final class Report {
  private Report() {}

  /** Reads runs of one kind for a page, and draws their figures. */
  @FunctionalInterface
  public interface Reader {
    Contents read(List<RunDirectory> runs, FigureFolders figures);
  }

  /**
   * Draws the figures of the runs and writes the page.
   *
   * @param out null for {@code report.html} in the first run, where the figures go into the runs;
   *     elsewhere the page alone is written
   * @return the page
   */
  public static Path write(List<Path> runs, @Nullable Path out, Reader reader) {
    Path page = out == null ? runs.getFirst().resolve("report.html") : out;
    try (var figures = out == null ? FigureFolders.ofRuns() : FigureFolders.apart()) {
      write(runs, page, reader, figures);
    }
    return page;
  }

  /** Writes the page about runs, their figures into the runs. */
  public static void writeWithFigures(List<Path> runs, Path out, Reader reader) {
    try (var figures = FigureFolders.ofRuns()) {
      write(runs, out, reader, figures);
    }
  }

  private static void write(List<Path> runs, Path out, Reader reader, FigureFolders figures) {
    if (runs.isEmpty()) {
      throw new UserException("report: expected at least one run directory");
    }
    List<RunDirectory> directories = runs.stream().distinct().map(RunDirectory::read).toList();
    requireOneKind(directories);
    requireWritable(out);
    WholeFile.replace(out, new Page(reader.read(directories, figures)).html());
  }

  private static void requireOneKind(List<RunDirectory> runs) {
    if (runs.stream().map(RunDirectory::kind).distinct().count() > 1) {
      throw new UserException(
          runs.stream()
              .map(run -> run.path() + " is " + run.kind())
              .collect(
                  Collectors.joining(
                      ", ", "report: expected runs of one kind, got ", ": write a page for each")));
    }
  }

  /** Says at once, before anything is drawn, that the page has no place. */
  private static void requireWritable(Path out) {
    if (Files.isDirectory(out)) {
      throw new UserException("--out " + out + ": is a folder, expected a file");
    }
    try {
      Path folder = out.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
        Files.deleteIfExists(Files.createTempFile(folder, ".report", ".tmp"));
      }
    } catch (IOException e) {
      throw new UserException("--out " + out + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }
}
