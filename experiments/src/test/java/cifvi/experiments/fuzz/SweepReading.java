package cifvi.experiments.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A sweep has one cell for each combination of its values, each with a folder of its own. */
final class SweepReading {
  private static final long MOST = 1000; // enough to see that they are right

  private SweepReading() {}

  /** Puts the name of the file before the reason, as {@code cifvi sweep} does. */
  static void read(Path file) throws RefusedException {
    try {
      var spec = SweepSpec.parse(Files.readString(file));
      long count =
          spec.settings().values().stream()
              .mapToLong(setting -> setting.values().size())
              .reduce(1, (a, b) -> Math.min(MOST + 1, a * b));
      if (count <= MOST && List.of("mog", "images").contains(spec.kind())) {
        requireCells(spec.cells(), count);
      }
    } catch (UserException e) {
      throw new RefusedException(file + ": ", e);
    } catch (IOException e) {
      throw new RefusedException(
          new UserException(file + ": cannot be read: " + WholeFile.reason(e), e));
    }
  }

  private static void requireCells(List<Cell> cells, long count) {
    assertThat(cells).hasSize((int) count);
    assertThat(cells.stream().map(Cell::name).distinct()).hasSize((int) count);
    assertThat(cells).noneMatch(cell -> cell.name().isEmpty() || cell.name().contains("/"));
    assertThat(cells).allMatch(cell -> cell.arguments().size() <= 1 + cell.options().size());
  }
}
