package cifvi.tensor.internal;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where things of this user are kept that can be had again: {@code cifvi/} in the cache folder. */
public final class UserCache {
  private UserCache() {}

  /** {@code ${XDG_CACHE_HOME:-~/.cache}/cifvi/NAME}. */
  public static Path folder(String name) {
    return folder(name, System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home"));
  }

  /** The XDG rule: a variable that is empty or no absolute path counts as not set. */
  static Path folder(String name, @Nullable String cacheHome, String home) {
    boolean isSet = cacheHome != null && Path.of(cacheHome).isAbsolute();
    Path cache = isSet ? Path.of(cacheHome) : Path.of(home, ".cache");
    return cache.resolve("cifvi").resolve(name);
  }
}
