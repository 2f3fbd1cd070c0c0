package cifvi.experiments.run;

import cifvi.experiments.files.Texts;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The text of a {@code spec.yaml}. As this program writes it every setting is a line, and lines are
 * what is changed, so that comments stay. A text of a user in another style, such as {@code {kind:
 * mog, steps: 9}}, is brought into that one.
 */
record SpecText(String yaml) {
  SpecText with(String key, long value) {
    ObjectNode settings = tree().put(key, value);
    String edited = yaml.replaceFirst("(?m)^" + key + ":.*$", key + ": " + value);
    return new SpecText(says(edited, settings) ? edited : write(settings));
  }

  /** All settings but these. */
  SpecText without(Set<String> keys) {
    ObjectNode settings = tree().remove(keys);
    String lines =
        yaml.lines()
            .filter(line -> keys.stream().noneMatch(key -> line.startsWith(key + ":")))
            .collect(Collectors.joining("\n"));
    return new SpecText(says(lines, settings) ? lines : write(settings).stripTrailing());
  }

  private ObjectNode tree() {
    return Texts.tree(Texts.YAML, RunSpec.FILE, yaml);
  }

  private static boolean says(String text, ObjectNode settings) {
    try {
      return Texts.YAML.readTree(text) instanceof ObjectNode found
          && write(found).equals(write(settings));
    } catch (JacksonException _) {
      return false;
    }
  }

  private static String write(ObjectNode settings) {
    return Texts.YAML.writeValueAsString(settings);
  }
}
