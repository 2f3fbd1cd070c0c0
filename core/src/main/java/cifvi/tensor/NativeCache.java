package cifvi.tensor;

import cifvi.tensor.internal.PrivateFolder;
import cifvi.tensor.internal.UserCache;
import java.io.IOException;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;
import org.jspecify.annotations.Nullable;

/**
 * The folder that native libraries are extracted to and opened from. Left to itself, JavaCPP takes
 * one in the temporary directory, whose name anyone can guess, where the user's home cannot be
 * written to, and trusts what has the right size and date there. So it is told a folder of ours
 * before it looks for one, or to open nothing where that one is not private.
 *
 * <p>JavaCPP remembers its first folder. A program that uses its classes before those of this
 * library has chosen it, and {@link #folder} can only look at the choice.
 */
public final class NativeCache {
  private static final String FOLDER = "org.bytedeco.javacpp.cachedir";
  private static final String OPEN = "org.bytedeco.javacpp.loadLibraries";
  private static final String ANOTHER =
      "set XDG_CACHE_HOME, or -D" + FOLDER + ", to a folder of yours";

  private static final @Nullable Path CLAIMED;
  private static final @Nullable DeviceException REFUSED;

  static {
    @Nullable Path claimed = null;
    @Nullable DeviceException refused = null;
    try {
      claimed = require(chosen());
      System.setProperty(FOLDER, claimed.toString());
    } catch (DeviceException e) {
      refused = e;
      System.setProperty(OPEN, "false");
    }
    CLAIMED = claimed;
    REFUSED = refused;
  }

  private NativeCache() {}

  /** Tells JavaCPP the folder, in time for a program that calls this first. */
  public static void claim() {
    // by the initialisation of this class
  }

  /**
   * The folder that JavaCPP uses.
   *
   * @throws DeviceException where others could have put libraries there, with the remedy
   */
  public static Path folder() {
    if (CLAIMED == null) {
      throw REFUSED == null ? new DeviceException("native libraries: no folder") : REFUSED;
    }
    try {
      Path used = Loader.getCacheDir().toPath().toRealPath();
      return used.equals(CLAIMED) ? used : require(used);
    } catch (IOException e) {
      throw new DeviceException("native libraries: " + e.getMessage() + "; " + ANOTHER, e);
    }
  }

  /** What the user has named, in either spelling that JavaCPP knows. */
  private static Path chosen() {
    String named = System.getProperty(FOLDER, System.getProperty("org.bytedeco.javacpp.cacheDir"));
    return named == null ? UserCache.folder("natives") : Path.of(named);
  }

  private static Path require(Path folder) {
    try {
      return PrivateFolder.require(folder, ANOTHER);
    } catch (SecurityException e) {
      throw new DeviceException("native libraries: " + e.getMessage(), e);
    }
  }
}
