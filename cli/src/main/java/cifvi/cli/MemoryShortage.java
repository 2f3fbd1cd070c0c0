package cifvi.cli;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What to say where the memory of the machine, or of the JVM, does not suffice. */
public final class MemoryShortage {
  private static final double GIB = 1 << 30;

  /** The words of libtorch's allocator on the CPU. */
  private static final Pattern FULL =
      Pattern.compile(
          "DefaultCPUAllocator: (?:can't allocate memory|not enough memory)"
              + "(?:: you tried to allocate (\\d+) bytes)?");

  private MemoryShortage() {}

  /** One line for an exception that means libtorch found no memory; empty for any other. */
  public static Optional<String> explain(Exception e) {
    var matcher = FULL.matcher(String.valueOf(e.getMessage()));
    if (!matcher.find()) {
      return Optional.empty();
    }
    String wanted = matcher.group(1);
    return Optional.of(
        remedy(
            wanted == null
                ? ""
                : String.format(Locale.ROOT, " (%.1f GiB more were asked for)", size(wanted))));
  }

  private static double size(String bytes) {
    return Double.parseDouble(bytes) / GIB;
  }

  public static String remedy(OutOfMemoryError error) {
    return remedy(" (" + error.getMessage() + ")");
  }

  private static String remedy(String details) {
    return "the memory does not suffice"
        + details
        + ": use a smaller --samples, --batch or --chunk, or fewer --jobs or --threads;"
        + " a run that had begun is saved: cifvi resume DIR";
  }
}
