package cifvi.cli.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The command that does a run again, every setting written out. */
final class Rerun {
  private Rerun() {}

  /** The program, then its options with their values. */
  static List<String> command(ReportRun run) {
    return Stream.of(
            Stream.of("./cifvi mog"),
            run.settings().entrySet().stream().filter(Rerun::isOption).map(Rerun::option),
            Stream.of("--out " + quote(run.path() + "-again")))
        .flatMap(parts -> parts)
        .toList();
  }

  private static boolean isOption(Map.Entry<String, String> setting) {
    return !setting.getKey().equals("kind") && !setting.getValue().isEmpty();
  }

  private static String option(Map.Entry<String, String> setting) {
    return "--" + setting.getKey().replace('_', '-') + " " + quote(setting.getValue());
  }

  /** As the shell reads it back. */
  static String quote(String text) {
    return text.matches("[\\w./:@=+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
