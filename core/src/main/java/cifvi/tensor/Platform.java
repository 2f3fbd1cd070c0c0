package cifvi.tensor;

import java.util.List;
import java.util.Locale;
import org.bytedeco.javacpp.Loader;

/** For which machines there are native libraries of libtorch. */
final class Platform {
  /** By JavaCPP's names, which are the classifiers of the jars. */
  private static final List<String> KNOWN =
      List.of("linux-x86_64", "macosx-arm64", "macosx-x86_64", "windows-x86_64");

  private Platform() {}

  /**
   * What to say where there are no native libraries: either nobody makes any for such a machine, or
   * their jar is not on the class path.
   *
   * @param os the machine's {@code os.name}
   * @param arch its {@code os.arch}
   */
  static String lacking(String os, String arch) {
    String platform = of(os, arch);
    return KNOWN.contains(platform)
        ? "the native libraries of libtorch are missing: add org.bytedeco's pytorch, openblas and"
            + " javacpp with the classifier "
            + platform
            + " to the class path, or to the module path with --add-modules ALL-MODULE-PATH"
        : "libtorch has no native libraries for %s on %s: use Linux on x86-64, macOS on arm64 or"
                .formatted(os, arch)
            + " x86-64, or Windows on x86-64, with a 64-bit JDK";
  }

  /** The name of a machine like those of {@link Loader#getPlatform}, which knows only this one. */
  private static String of(String os, String arch) {
    String name = os.toLowerCase(Locale.ROOT);
    String system =
        name.startsWith("mac os x")
            ? "macosx"
            : name.startsWith("windows") ? "windows" : name.replace(' ', '-');
    return system
        + "-"
        + switch (arch) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64" -> "arm64";
          default -> arch;
        };
  }
}
