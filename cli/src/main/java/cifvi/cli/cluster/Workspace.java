package cifvi.cli.cluster;

import cifvi.experiments.sweep.CellFolder;
import java.nio.file.Path;
import java.util.List;

/** A folder that all machines see, and where it is here. */
public interface Workspace extends AutoCloseable {
  /** What machines know it by: an absolute path or a URI. */
  String address();

  /** The folder here: itself, or a copy of what is small in it. */
  Path folder();

  /** Brings what is small of these cells here. */
  default void refresh(List<CellFolder> cells) {}

  /** Brings a file of the folder here to where all see it. */
  default void publish(String file) {}

  /** Takes it away there. */
  default void unpublish(String file) {}

  @Override
  default void close() {}
}
