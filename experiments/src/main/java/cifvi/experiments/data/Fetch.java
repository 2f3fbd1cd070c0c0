package cifvi.experiments.data;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fills a data directory with what it lacks. */
public final class Fetch {
  private Fetch() {}

  /** Gets those files of the data set that are missing or bad. */
  public static void run(DataSet set, Path dataDir, Source source, FetchListener listener) {
    run(set.files(), dataDir.resolve(set.toString()), source, listener);
  }

  static void run(List<DataFile> files, Path folder, Source source, FetchListener listener) {
    var wanted = new ArrayList<DataFile>();
    for (DataFile file : files) {
      Optional<Path> present = DataDirectory.find(folder, file);
      if (present.isEmpty() || !isGood(file, present.get(), listener)) {
        wanted.add(file);
      }
    }
    if (!wanted.isEmpty()) {
      DataDirectory.create(folder);
      source.get(wanted, folder, listener);
    }
  }

  private static boolean isGood(DataFile file, Path path, FetchListener listener) {
    try {
      file.read(path);
      listener.note(path + " is there and good");
      return true;
    } catch (BadFileException e) {
      listener.note("replacing " + path + ", which " + e.problem());
      return false;
    }
  }
}
