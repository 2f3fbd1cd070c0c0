package cifvi.experiments.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/**
 * One run of a sweep.
 *
 * @param name of its folder, after what varies
 * @param kind the command that runs it
 * @param options all options of that command but {@code out}, under their long names with {@code _}
 *     for {@code -}
 * @param varying the options that vary over the sweep
 */
public record Cell(
    String name, String kind, SequencedMap<String, String> options, List<String> varying) {
  /** The words after {@code cifvi} that start it, without {@code --out}. */
  public List<String> arguments() {
    var arguments = new ArrayList<String>(List.of(kind));
    options.forEach(
        (key, value) -> {
          String option = "--" + key.replace('_', '-');
          switch (value) {
            case "true" -> arguments.add(option);
            case "false" -> {}
            default -> arguments.add(option + "=" + value);
          }
        });
    return arguments;
  }
}
