package cifvi.cli.report;

import cifvi.cli.plot.Numerals;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** Short names that tell the runs of one page apart: the model, and what else differs. */
final class Labels {
  private static final List<String> NEVER = List.of("kind", "model", "placement");
  private static final List<String> IN_TABLE =
      List.of("kind", "model", "placement", "components", "sigma0", "steps");

  private Labels() {}

  /** Names for texts, where nothing else says what differs. */
  static List<String> of(List<ReportRun> runs) {
    return distinct(runs, NEVER);
  }

  /** Names for the table of results, whose columns show some settings already. */
  static List<String> besideSettings(List<ReportRun> runs) {
    return runs.stream().map(run -> label(runs, run, IN_TABLE)).toList();
  }

  private static List<String> distinct(List<ReportRun> runs, List<String> unsaid) {
    List<String> labels = runs.stream().map(run -> label(runs, run, unsaid)).toList();
    if (new HashSet<>(labels).size() == labels.size()) {
      return labels;
    }
    return IntStream.range(0, runs.size())
        .mapToObj(i -> labels.get(i) + ", " + runs.get(i).path())
        .toList();
  }

  private static String label(List<ReportRun> runs, ReportRun run, List<String> unsaid) {
    var parts = new ArrayList<String>(List.of(model(run)));
    for (String key : run.settings().keySet()) {
      if (!unsaid.contains(key) && differs(runs, key)) {
        parts.add(words(key, run));
      }
    }
    return String.join(", ", parts);
  }

  private static String model(ReportRun run) {
    return run.isCif()
        ? run.spec().model() + " (" + run.spec().placement() + ")"
        : run.spec().model().toString();
  }

  private static boolean differs(List<ReportRun> runs, String key) {
    return runs.stream().map(run -> run.settings().getOrDefault(key, "")).distinct().count() > 1;
  }

  private static String words(String key, ReportRun run) {
    String value = run.settings().getOrDefault(key, "");
    return switch (key) {
      case "sigma0" -> "σ₀ = " + run.spec().sigma0();
      case "components" -> "K = " + value;
      case "steps" -> Numerals.whole(run.spec().steps()) + " steps";
      default -> key.replace('_', ' ') + " " + (value.isEmpty() ? "none" : value);
    };
  }
}
