package cifvi.spark;

import cifvi.cli.cluster.Workspace;
import cifvi.experiments.files.UserException;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;

/** A folder by its URI: what the table and the page are made of is copied to the driver. */
final class HadoopWorkspace implements Workspace {
  /** Of figures and logs; checkpoints and draws stay where they are. */
  private static final long LARGEST = 4 << 20;

  private final String uri;
  private final RemoteFiles files;
  private final Path folder;
  private final Map<String, Long> known = new HashMap<>();

  private HadoopWorkspace(String uri, RemoteFiles files, Path folder) {
    this.uri = uri;
    this.files = files;
    this.folder = folder;
  }

  static Workspace open(String uri, Map<String, String> settings) {
    try {
      var files = RemoteFiles.at(uri, RemoteFiles.configuration(settings));
      files.createFolder("");
      var workspace =
          new HadoopWorkspace(uri, files, Files.createTempDirectory("cifvi").resolve("sweep"));
      Files.createDirectories(workspace.folder);
      for (FileStatus entry : files.list("")) {
        if (entry.isDirectory()) {
          workspace.fetch(entry.getPath().getName());
        }
      }
      return workspace;
    } catch (IOException | IllegalArgumentException e) {
      throw RemoteFiles.unusable("--out " + uri, e);
    }
  }

  @Override
  public String address() {
    return uri;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public void refresh(List<CellFolder> cells) {
    for (CellFolder cell : cells) {
      try {
        String name = String.valueOf(cell.path().getFileName());
        fetch(name);
        if (files.exists(name + ".log")) {
          files.fetch(name + ".log", cell.log());
        }
      } catch (IOException e) {
        throw RemoteFiles.unusable(uri, e);
      }
    }
  }

  private void fetch(String name) throws IOException {
    for (FileStatus entry : files.list(name)) {
      String path = name + "/" + entry.getPath().getName();
      if (entry.isDirectory()) {
        if (!path.endsWith("/checkpoints")) {
          fetch(path);
        }
      } else if (entry.getLen() <= LARGEST
          && !entry.getPath().getName().startsWith(".")
          && !RemoteLease.isPart(entry.getPath().getName())
          && !known.getOrDefault(path, -1L).equals(entry.getModificationTime())) {
        files.fetch(path, folder.resolve(path));
        known.put(path, entry.getModificationTime());
      }
    }
  }

  @Override
  public void publish(String file) {
    try {
      files.write(file, Files.readAllBytes(folder.resolve(file)));
    } catch (IOException e) {
      throw new UserException(uri + "/" + file + ": cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void unpublish(String file) {
    try {
      files.delete(file);
    } catch (IOException _) {
      // an empty file stays
    }
  }

  @Override
  public void close() {
    Scratch.delete(folder.getParent());
  }
}
