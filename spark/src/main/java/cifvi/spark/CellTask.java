package cifvi.spark;

import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.Function;

/**
 * A cell on a worker. It may be the second attempt at it: whether there is something to go on with
 * is looked up here, and one that is done is left alone.
 */
record CellTask(
    WorkerProgram program,
    SharedFolder folder,
    String name,
    String kind,
    Map<String, String> options)
    implements Function<Integer, TaskEnd> {
  static CellTask of(WorkerProgram program, SharedFolder folder, Cell cell) {
    return new CellTask(
        program, folder, cell.name(), cell.kind(), new LinkedHashMap<>(cell.options()));
  }

  @Override
  public TaskEnd call(Integer index) throws IOException {
    boolean interrupted = false;
    try (SharedFolder.Place place = folder.open(name)) {
      var cell = new CellFolder(place.path());
      if (!cell.isDone()) {
        var words = cell.arguments(new Cell(name, kind, new LinkedHashMap<>(options), List.of()));
        int exitCode = program.run(words, cell.log());
        interrupted = Thread.interrupted(); // which would close the files that are saved now
        place.save();
        return new TaskEnd(exitCode, "");
      }
      return new TaskEnd(0, "");
    } catch (SharedFolder.UnseenException e) {
      return new TaskEnd(2, String.valueOf(e.getMessage()));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
