package cifvi.cli.report;

import cifvi.cli.plot.Numerals;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** Short names that tell the runs of one page apart: the model, and what else differs. */
final class Labels {
  private Labels() {}

  /** Names for texts; {@code unsaid} are settings that they never mention. */
  static List<String> of(List<RunFiles> runs, List<String> unsaid) {
    List<String> labels = besideSettings(runs, unsaid);
    if (new HashSet<>(labels).size() == labels.size()) {
      return labels;
    }
    return IntStream.range(0, runs.size())
        .mapToObj(i -> labels.get(i) + ", " + runs.get(i).path())
        .toList();
  }

  /** Names for a table whose columns show the {@code unsaid} settings already. */
  static List<String> besideSettings(List<RunFiles> runs, List<String> unsaid) {
    return runs.stream().map(run -> label(runs, run, unsaid)).toList();
  }

  private static String label(List<RunFiles> runs, RunFiles run, List<String> unsaid) {
    var parts = new ArrayList<String>(List.of(model(run)));
    for (String key : run.settings().keySet()) {
      if (!unsaid.contains(key) && differs(runs, key)) {
        parts.add(words(key, run.setting(key)));
      }
    }
    return String.join(", ", parts);
  }

  private static String model(RunFiles run) {
    String model = run.setting("model");
    return model.startsWith("cif-") ? model + " (" + run.setting("placement") + ")" : model;
  }

  private static boolean differs(List<RunFiles> runs, String key) {
    return runs.stream().map(run -> run.setting(key)).distinct().count() > 1;
  }

  private static String words(String key, String value) {
    return switch (key) {
      case "sigma0" -> "σ₀ = " + value;
      case "components" -> "K = " + value;
      case "steps" -> Numerals.whole(Long.parseLong(value)) + " steps";
      case "epochs" -> "up to " + Numerals.whole(Long.parseLong(value)) + " epochs";
      case "decoder" -> value + " decoder";
      case "data" -> value;
      default -> key.replace('_', ' ') + " " + (value.isEmpty() ? "none" : value);
    };
  }
}
