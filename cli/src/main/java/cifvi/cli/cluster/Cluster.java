package cifvi.cli.cluster;

import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.CellFolder;
import cifvi.experiments.sweep.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Machines that run {@code cifvi} for us; closed, they are given back. */
public interface Cluster extends AutoCloseable {
  /** Connects to a cluster; found as a service where its module is on the class path. */
  interface Provider {
    /**
     * Connects, and makes sure that every machine there has the right Java and sees the folder.
     *
     * @param name what the cluster shows for this program
     * @param settings of the cluster, by their names
     */
    Cluster connect(String master, String name, Map<String, String> settings, Workspace workspace);

    /** A folder of any file system that the cluster knows, by its URI. */
    Workspace workspace(String uri, Map<String, String> settings);
  }

  /** How many cores can work at a time just now. */
  int cores();

  /**
   * Starts a cell as a task, which is tried again elsewhere when its machine is lost. The process
   * stands for the task: it lives as long, and destroyed it saves the cell and ends.
   */
  Process start(Cell cell, CellFolder folder) throws IOException;

  /**
   * Starts {@code cifvi} with these words, {@code --to} and a file; what that file holds at the end
   * comes back. Cancelled, it stops.
   *
   * @param cores that it uses
   * @param cuda whether it needs a GPU
   */
  CompletableFuture<String> compute(List<String> words, int cores, boolean cuda);

  /** Refuses a place for such a data set that holds something else. */
  void requireParquet(String to);

  /** Writes what cells logged and drew as one Parquet data set. */
  void writeParquet(List<Job> jobs, String to);

  @Override
  void close();

  /** The same for a folder by its path. */
  static Workspace local(Path folder) {
    return new LocalWorkspace(folder);
  }
}
