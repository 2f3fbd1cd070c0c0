package cifvi.experiments.data;

import cifvi.experiments.files.UserException;
import java.nio.file.Path;
import java.util.List;

/** Where data files come from. */
public sealed interface Source permits Mirrors, LocalFolder {
  /**
   * Puts these files into the folder, each only after it was checked.
   *
   * @throws UserException where one cannot be had, with the reasons and the remedy
   */
  void get(List<DataFile> files, Path folder, FetchListener listener);
}
