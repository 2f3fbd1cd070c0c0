package cifvi.cli.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The command that does a run again, every setting written out. */
public final class Rerun {
  private Rerun() {}

  /** The program, then its options with their values. */
  public static List<String> command(RunFiles run) {
    return Stream.of(
            Stream.of("./cifvi " + run.setting("kind")),
            run.settings().entrySet().stream().filter(Rerun::isOption).map(Rerun::option),
            Stream.of("--out " + quote(run.path() + "-again")))
        .flatMap(parts -> parts)
        .toList();
  }

  private static boolean isOption(Map.Entry<String, String> setting) {
    String value = setting.getValue();
    return !setting.getKey().equals("kind") && !value.isEmpty() && !value.equals("false");
  }

  private static String option(Map.Entry<String, String> setting) {
    String name = "--" + setting.getKey().replace('_', '-');
    return setting.getValue().equals("true") ? name : name + " " + quote(setting.getValue());
  }

  /** As the shell reads it back. */
  public static String quote(String text) {
    return text.matches("[\\w./:@=+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
