package cifvi.experiments.files;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.RecordComponent;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/**
 * JSON and YAML as our files have them: snake_case keys, enums as on the command line, unknown keys
 * of YAML refused. Whatever cannot be read is refused in one line that names the file and the key;
 * what is missing is never made up.
 */
public final class Texts {
  public static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  public static final ObjectMapper YAML =
      YAMLMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
          .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
          .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
          .build();

  private static final Pattern CLASS = Pattern.compile("`(?:[\\w.$]*[.$])?(\\w+)`");
  private static final Pattern OPTION = Pattern.compile("^--([a-z0-9-]+):");

  private Texts() {}

  /**
   * The keys and values of a text.
   *
   * @param file whose text it is, for what is said about it
   */
  public static ObjectNode tree(ObjectMapper format, Object file, String text) {
    JsonNode tree;
    try {
      tree = format.readTree(text);
    } catch (JacksonException e) {
      throw new UserException(file + ": " + reason(e), e);
    }
    if (tree instanceof ObjectNode object) {
      return object;
    }
    throw new UserException(
        file + ": expected keys with values, got " + (text.isBlank() ? "nothing" : excerpt(text)));
  }

  /** A record from its keys and values; only components marked {@code @Nullable} may be absent. */
  public static <R> R value(ObjectMapper format, Object file, ObjectNode tree, Class<R> type) {
    for (RecordComponent component : type.getRecordComponents()) {
      String key = key(component);
      require(isNullable(component) || tree.has(key), file, key, "is missing");
      require(isNullable(component) || tree.hasNonNull(key), file, key, "has no value");
      JsonNode value = tree.path(key);
      require(!value.isBigInteger() && isFinite(format, value), file, key, "is too large a number");
    }
    try {
      return format.treeToValue(tree, type);
    } catch (JacksonException e) {
      if (e.getCause() instanceof UserException user) {
        throw new UserException(file + ": " + asKey(String.valueOf(user.getMessage())), e);
      }
      throw new UserException(file + ": " + reason(e), e);
    }
  }

  /** What a record says of an option, said of the key in a file. */
  private static String asKey(String message) {
    return OPTION.matcher(message).replaceFirst(found -> found.group(1).replace('-', '_') + ":");
  }

  /** JSON knows no infinity: one that is read stood there as too many digits. */
  private static boolean isFinite(ObjectMapper format, JsonNode value) {
    return format.equals(YAML) || !value.isDouble() || Double.isFinite(value.doubleValue());
  }

  private static String key(RecordComponent component) {
    JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
    return named == null ? CsvLog.column(component) : named.value();
  }

  private static boolean isNullable(RecordComponent component) {
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static void require(boolean condition, Object file, String key, String otherwise) {
    if (!condition) {
      throw new UserException(file + ": " + key + " " + otherwise);
    }
  }

  private static String reason(JacksonException e) {
    String key =
        e.getPath().stream()
            .map(JacksonException.Reference::getPropertyName)
            .map(name -> name + ": ")
            .collect(Collectors.joining());
    String message = String.valueOf(e.getOriginalMessage());
    return key + excerpt(CLASS.matcher(message).replaceAll("$1"));
  }

  private static String excerpt(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    return line.length() <= 200 ? line : line.substring(0, 200) + "…";
  }
}
