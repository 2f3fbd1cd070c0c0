package cifvi.diagnostics;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A maximum of log p.
 *
 * @param z where it is, on the unconstrained space
 * @param mass of p around it, as a part of the evidence with it; at most 1
 * @param covered mass of q around it
 * @param starts share of the draws of every other start that lie there
 */
public record Mode(List<Double> z, double mass, double covered, List<Double> starts) {
  private static final double WORTH = 0.02;
  private static final double FEW = 0.1;
  private static final int SHOWN = 4;

  public Mode {
    z = List.copyOf(z);
    starts = List.copyOf(starts);
  }

  /** Whether p has some mass there and q next to none. */
  public boolean missed() {
    return mass > WORTH && covered < FEW * mass;
  }

  /** How many starts, the one that was kept among them, have so many of their draws there. */
  long foundBy(double share) {
    return (covered > share ? 1 : 0) + starts.stream().filter(s -> s > share).count();
  }

  /** Where it is, in a few numbers. */
  String text() {
    String some =
        z.stream()
            .limit(SHOWN)
            .map(v -> String.format(Locale.ROOT, "%.3g", v))
            .collect(Collectors.joining(", "));
    return "(" + some + (z.size() > SHOWN ? ", …)" : ")");
  }
}
