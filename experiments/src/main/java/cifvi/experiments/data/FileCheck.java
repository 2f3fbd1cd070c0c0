package cifvi.experiments.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What was found of one file; {@code detail} is its sizes and checksum, or what is wrong. */
public record FileCheck(String name, boolean ok, String detail) {
  /** Looks at every file of a data set. */
  public static List<FileCheck> of(DataSet set, Path dataDir) {
    Path folder = dataDir.resolve(set.toString());
    return set.files().stream().map(file -> of(file, folder)).toList();
  }

  static FileCheck of(DataFile file, Path folder) {
    Optional<Path> path = DataDirectory.find(folder, file);
    if (path.isEmpty()) {
      return new FileCheck(file.compressedName(), false, "is missing");
    }
    String name = path.get().getFileName().toString();
    try {
      Idx idx = file.read(path.get());
      String sizes = Idx.sizes(idx.dimensions());
      return new FileCheck(name, true, "%-16s  %s".formatted(sizes, idx.sha256()));
    } catch (BadFileException e) {
      return new FileCheck(name, false, e.problem());
    }
  }
}
