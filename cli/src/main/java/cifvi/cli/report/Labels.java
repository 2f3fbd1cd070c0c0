package cifvi.cli.report;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** Short names of the runs of one page. */
public final class Labels {
  private static final int LONGEST = 28;
  private static final int LETTERS = 26;

  private Labels() {}

  /**
   * The model of a single run; of several their folders' names, or letters where those are no help.
   */
  public static List<String> of(List<RunFiles> runs) {
    if (runs.size() == 1) {
      return List.of(model(runs.getFirst()));
    }
    List<String> folders = runs.stream().map(run -> folder(run.path())).toList();
    boolean told = new HashSet<>(folders).size() == folders.size();
    return told && folders.stream().allMatch(name -> name.length() <= LONGEST)
        ? folders
        : IntStream.range(0, runs.size()).mapToObj(Labels::letter).toList();
  }

  /** The last part of a path. */
  public static String folder(Path path) {
    return String.valueOf(path.toAbsolutePath().normalize().getFileName());
  }

  private static String model(RunFiles run) {
    String model = run.setting("model");
    return model.startsWith("cif-") ? model + " (" + run.setting("placement") + ")" : model;
  }

  /** A, B, …, Z, A2, B2, … */
  private static String letter(int run) {
    return (char) ('A' + run % LETTERS) + (run < LETTERS ? "" : "" + (run / LETTERS + 1));
  }
}
