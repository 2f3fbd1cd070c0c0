package cifvi.experiments.sweep;

import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A sweep as it is written: {@code kind} and options of that command, one value or, as an axis of
 * the grid, a list of values each.
 */
public record SweepSpec(String kind, SequencedMap<String, Setting> settings) {
  /** What stands behind a key; a list is an axis even when it holds a single value. */
  public record Setting(boolean axis, List<String> values) {
    public static Setting fixed(String value) {
      return new Setting(false, List.of(value));
    }

    public static Setting axis(List<String> values) {
      return new Setting(true, values);
    }
  }

  /** Reads a flat YAML map, values to the letter as they are written there. */
  public static SweepSpec parse(String yaml) {
    try (JsonParser parser = Texts.YAML.createParser(yaml)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new UserException("expected lines of the form option: value, beginning with kind:");
      }
      var settings = new LinkedHashMap<String, Setting>();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = parser.currentName();
        if (settings.put(key, setting(key, parser)) != null) {
          throw new UserException(key + ": stands there twice; one list holds all its values");
        }
      }
      return new SweepSpec(kind(settings.remove("kind")), settings);
    } catch (JacksonException e) {
      throw new UserException("not YAML: " + e.getOriginalMessage(), e);
    }
  }

  private static String kind(@Nullable Setting kind) {
    if (kind == null) {
      throw new UserException("kind: is missing; it is the command to sweep, as in kind: mog");
    }
    if (kind.axis) {
      throw new UserException("kind: expected one command, got a list; write one file for each");
    }
    return kind.values.getFirst();
  }

  private static Setting setting(String key, JsonParser parser) {
    if (parser.nextToken() != JsonToken.START_ARRAY) {
      return Setting.fixed(scalar(key, parser));
    }
    var values = new LinkedHashSet<String>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      String value = scalar(key, parser);
      if (!values.add(value)) {
        throw new UserException(key + ": " + value + " stands there twice; a cell runs once");
      }
    }
    if (values.isEmpty()) {
      throw new UserException(key + ": the list is empty; give it values or remove the key");
    }
    return Setting.axis(List.copyOf(values));
  }

  private static String scalar(String key, JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_NULL || token == JsonToken.NOT_AVAILABLE) {
      throw new UserException(key + ": has no value; give it one or remove the key");
    }
    if (!token.isScalarValue()) {
      throw new UserException(
          key + ": expected a value or a list of values, got something nested; the map is flat");
    }
    return parser.getString();
  }

  /** The cells, the last axis varying fastest. */
  public List<Cell> cells() {
    return new Grid(this).cells();
  }
}
