package cifvi.cli.option;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** How values of options are read, and what is said of those that cannot be. */
public final class Values {
  private static final Pattern OPTION =
      Pattern.compile("^Invalid value for option '(--[\\w-]+)'[^:]*: ");

  private Values() {}

  public static void register(CommandLine commandLine) {
    var whole = number("a whole number", Long::valueOf);
    ITypeConverter<Integer> small = text -> toInt(text, whole.convert(text));
    var real = number("a number", Double::valueOf);
    commandLine.registerConverter(Long.class, whole);
    commandLine.registerConverter(long.class, whole);
    commandLine.registerConverter(Integer.class, small);
    commandLine.registerConverter(int.class, small);
    commandLine.registerConverter(Double.class, real);
    commandLine.registerConverter(double.class, real);
    commandLine.registerConverter(Path.class, Values::path);
  }

  private static <T> ITypeConverter<T> number(String what, Function<String, T> read) {
    return text -> {
      try {
        return read.apply(text.strip());
      } catch (NumberFormatException _) {
        throw new TypeConversionException("expected " + what + ", got " + text);
      }
    };
  }

  private static int toInt(String text, long value) {
    if (value != (int) value) {
      throw new TypeConversionException(
          "expected a whole number up to " + Integer.MAX_VALUE + ", got " + text);
    }
    return (int) value;
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(
          text.indexOf('\0') >= 0
              ? "expected a path, got one with a null character"
              : "'%s' has letters that the locale cannot express: set LC_ALL=C.UTF-8"
                  .formatted(text));
    }
  }

  /** {@code --steps: expected …} where picocli has more words. */
  public static String message(ParameterException e) {
    return OPTION.matcher(String.valueOf(e.getMessage())).replaceFirst("$1: ");
  }
}
