package cifvi.experiments.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The folder that holds {@code mnist/} and {@code fashion-mnist/} with four IDX files each. */
public final class DataDirectory {
  private DataDirectory() {}

  /** {@code ${XDG_CACHE_HOME:-~/.cache}/cifvi/data}. */
  public static Path byDefault() {
    return byDefault(System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home"));
  }

  /** The XDG rule: a variable that is empty or no absolute path counts as not set. */
  static Path byDefault(@Nullable String cacheHome, String home) {
    boolean isSet = cacheHome != null && Path.of(cacheHome).isAbsolute();
    Path cache = isSet ? Path.of(cacheHome) : Path.of(home, ".cache");
    return cache.resolve("cifvi").resolve("data");
  }

  /** The file in this folder, under any of its spellings. */
  static Optional<Path> find(Path folder, DataFile file) {
    return file.spellings().stream().map(folder::resolve).filter(Files::isRegularFile).findFirst();
  }

  /** What to type to get a data set into {@code dataDir}. */
  static String fetchCommand(DataSet set, Path dataDir) {
    String command = "cifvi data fetch " + set;
    return dataDir.equals(byDefault()) ? command : command + " --data-dir " + dataDir;
  }
}
