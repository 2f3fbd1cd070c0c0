package cifvi.cli.report;

/** The coloured mark of a run, the same wherever the run appears. */
public final class Key {
  private static final int COLOURS = 8;

  private Key() {}

  /** The class that gives an element the run's colour. */
  public static String name(int run) {
    return "run" + run % COLOURS;
  }

  public static String of(int run) {
    return "<i class=\"key " + name(run) + "\" aria-hidden=\"true\"></i>";
  }
}
