package cifvi.cli.report;

import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import cifvi.experiments.run.RunDirectory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What every run has.
 *
 * @param settings of {@code spec.yaml}
 * @param provenance empty where it is not known
 */
public record RunFiles(Path path, Map<String, String> settings, Map<String, String> provenance) {
  public static RunFiles read(RunDirectory directory) {
    return new RunFiles(
        directory.path(),
        entries(directory, "spec.yaml"),
        directory.has("provenance.json") ? entries(directory, "provenance.json") : Map.of());
  }

  /** The settings as the program has them. */
  public static <S> S spec(RunDirectory directory, Function<String, S> parse) {
    try {
      return parse.apply(directory.read("spec.yaml"));
    } catch (UserException e) {
      throw new UserException(directory.path() + " cannot be reported: " + e.getMessage(), e);
    }
  }

  /** Whether there is a model to draw. */
  public static boolean hasModel(RunDirectory directory) {
    return directory.has("checkpoints/latest.safetensors")
        || directory.has("checkpoints/previous.safetensors");
  }

  /** The entries of a flat file; JSON is YAML, too. */
  private static Map<String, String> entries(RunDirectory directory, String file) {
    var entries = new LinkedHashMap<String, String>();
    Texts.tree(Texts.YAML, directory.file(file), directory.read(file))
        .forEachEntry((key, value) -> entries.put(key, value.asString("")));
    return entries;
  }

  /** Empty where it is not set. */
  public String setting(String key) {
    return settings.getOrDefault(key, "");
  }
}
