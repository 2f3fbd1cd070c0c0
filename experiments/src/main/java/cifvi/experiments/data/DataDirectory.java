package cifvi.experiments.data;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.tensor.internal.UserCache;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** The folder that holds {@code mnist/} and {@code fashion-mnist/} with four IDX files each. */
public final class DataDirectory {
  private DataDirectory() {}

  /** {@code ${XDG_CACHE_HOME:-~/.cache}/cifvi/data}. */
  public static Path byDefault() {
    return UserCache.folder("data");
  }

  /** The file in this folder, under any of its spellings. */
  static Optional<Path> find(Path folder, DataFile file) {
    return file.spellings().stream().map(folder::resolve).filter(Files::isRegularFile).findFirst();
  }

  /** What to type to get a data set into {@code dataDir}. */
  public static String fetchCommand(DataSet set, Path dataDir) {
    String command = "cifvi data fetch " + set;
    return dataDir.equals(byDefault()) ? command : command + " --data-dir " + dataDir;
  }

  /** Makes the folder where need be and requires that it can be written to. */
  static void create(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw new UserException(
          e.getFile() + " is a file, not a folder: remove it or choose another --data-dir", e);
    } catch (IOException e) {
      throw cannotBeWritten(folder, WholeFile.reason(e));
    }
    if (!Files.isWritable(folder)) {
      throw cannotBeWritten(folder, "permission denied");
    }
  }

  private static UserException cannotBeWritten(Path folder, String reason) {
    return new UserException(
        folder + ": cannot be written: " + reason + "; choose another --data-dir");
  }

  /** Moves a good file into its place, in one step, and removes what else stood there. */
  static Path place(DataFile file, Path from, Path folder) {
    try {
      String name = Idx.isCompressed(from) ? file.compressedName() : file.name();
      Path target = folder.resolve(name);
      Files.move(from, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      for (String other : file.spellings()) {
        if (!other.equals(name)) {
          Files.deleteIfExists(folder.resolve(other));
        }
      }
      return target;
    } catch (IOException e) {
      throw cannotBeWritten(folder, WholeFile.reason(e));
    }
  }
}
