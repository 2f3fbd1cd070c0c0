package cifvi;

import cifvi.start.internal.Frame;
import cifvi.start.internal.LocalNormal;
import cifvi.start.internal.Modes;
import cifvi.start.internal.Modes.Spread;
import cifvi.start.internal.Pathfinder;
import cifvi.start.internal.Score;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Safetensors;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bytedeco.pytorch.Tensor;

/**
 * Where a start of a fit begins.
 *
 * @param frame in whose coordinates everything here is
 * @param best the normal with the best bound, at one mode
 * @param spread of all modes that were found
 * @param barrier how far log p falls between them
 * @param modes how many
 * @param points that were ascended from
 */
record Beginning(
    Frame frame, LocalNormal best, Spread spread, double barrier, int modes, int points) {
  private static final double LEAST_BARRIER = 100;

  /**
   * Looks for modes around a frame.
   *
   * @throws IllegalArgumentException where the density has no answer
   */
  static Beginning find(Score score, Frame frame, long seed) {
    int d = frame.dimensions();
    Modes found = new Pathfinder(score::answers, score.precision(), d, seed).run();
    if (found.normals().isEmpty()) {
      throw new IllegalArgumentException(
          "density: no answer at any of "
              + found.paths()
              + " points around the start; try another initialPoint or initialScale");
    }
    int modes = found.normals().size();
    return new Beginning(
        frame, found.normals().getFirst(), found.spread(), found.barrier(), modes, found.paths());
  }

  /** Whether there are modes that a fit of one of them would miss. */
  boolean separate() {
    return modes > 1;
  }

  /** The β at which what lies between the modes is no barrier any more; 1 for one mode. */
  double coldest() {
    return separate() ? 1 / Math.max(LEAST_BARRIER, barrier) : 1;
  }

  /** The frame of the best normal. */
  Frame local() {
    return frame.then(best.centre(), best.factor(), best.logDet());
  }

  /** The same without its correlations. */
  Frame diagonal() {
    return frame.then(best.centre(), Modes.spread(List.of(best)).sds());
  }

  /** The frame of all modes. */
  Frame wide() {
    return frame.then(spread.centre(), spread.sds());
  }

  /** One line. */
  String note(String prefix) {
    return prefix
        + (separate()
                ? "%d points led to %d modes: flows begin as wide as all of them"
                : "%d points led to one mode")
            .formatted(points, modes);
  }

  /** For a file. */
  Map<String, Tensor> tensors() {
    int d = frame.dimensions();
    Backend backend = Backend.cpu(Precision.FLOAT64);
    return Map.of(
        "best.centre", backend.tensor(best.centre(), d),
        "best.factor", backend.tensor(best.factor(), d, d),
        "spread.centre", backend.tensor(spread.centre(), d),
        "spread.sds", backend.tensor(spread.sds(), d));
  }

  /** The numbers beside them. */
  SortedMap<String, String> numbers() {
    return new TreeMap<>(
        Map.of(
            "log_p", Double.toString(best.logP()),
            "log_det", Double.toString(best.logDet()),
            "elbo", Double.toString(best.elbo()),
            "barrier", Double.toString(barrier),
            "modes", Integer.toString(modes),
            "points", Integer.toString(points)));
  }

  /** From {@link #tensors} and {@link #numbers}. */
  static Beginning of(Frame frame, Safetensors.Content saved) {
    return new Beginning(
        frame,
        new LocalNormal(
            tensor(saved, "best.centre"),
            tensor(saved, "best.factor"),
            number(saved, "log_det"),
            number(saved, "log_p"),
            number(saved, "elbo")),
        new Spread(tensor(saved, "spread.centre"), tensor(saved, "spread.sds")),
        number(saved, "barrier"),
        (int) number(saved, "modes"),
        (int) number(saved, "points"));
  }

  private static double number(Safetensors.Content saved, String key) {
    return Double.parseDouble(Report.text(saved.metadata(), key));
  }

  private static double[] tensor(Safetensors.Content saved, String name) {
    Tensor tensor = saved.tensors().get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return Backend.doubles(tensor);
  }
}
