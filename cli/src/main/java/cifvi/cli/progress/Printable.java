package cifvi.cli.progress;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What may be shown on a terminal: names of files come from anywhere, and may hold what moves the
 * cursor, changes colours or turns the direction of writing.
 */
public final class Printable {
  /** All but a new line that is followed by the margin of our own messages. */
  private static final Pattern CONTROL =
      Pattern.compile("(?!\\n {2})[\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]");

  private Printable() {}

  /** The text with {@code \}{@code u001b} and its like written out. */
  public static String of(@Nullable Object text) {
    return CONTROL
        .matcher(String.valueOf(text))
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }
}
