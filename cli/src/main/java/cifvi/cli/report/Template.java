package cifvi.cli.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The page's frame: a resource in which {@code {{name}}} stands for a piece of HTML. */
public final class Template {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  private Template() {}

  /** Fills every place, in one pass, so that nothing inside a piece is taken for a place. */
  public static String fill(String template, Map<String, String> pieces) {
    return PLACE
        .matcher(template)
        .replaceAll(place -> Matcher.quoteReplacement(piece(pieces, place.group(1))));
  }

  private static String piece(Map<String, String> pieces, String name) {
    @Nullable String piece = pieces.get(name);
    if (piece == null) {
      throw new IllegalStateException("template: nothing is given for {{" + name + "}}");
    }
    return piece;
  }

  public static String resource(String name) {
    try (var stream = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
