package cifvi;

import cifvi.start.internal.Frame;
import cifvi.start.internal.LocalNormal;
import cifvi.start.internal.Modes;
import cifvi.start.internal.Pathfinder;
import cifvi.start.internal.Score;
import cifvi.target.HostTarget.Densities;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Safetensors;
import cifvi.vi.Progress.StoppedException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/**
 * Where a start of a fit begins.
 *
 * @param frame in whose coordinates the modes are
 * @param modes of the density, as far as they were found
 */
record Beginning(Frame frame, Modes modes) {
  private static final double LEAST_BARRIER = 100;

  /**
   * Looks for modes around a frame.
   *
   * @param listener told of every batch of calls
   * @throws IllegalArgumentException where the density has no answer
   * @throws StoppedException where the listener says so
   */
  static Beginning find(Score score, Frame frame, long seed, Fit.Listener listener) {
    var calls = new AtomicLong();
    Densities density =
        (v, logP, gradients) -> {
          score.answers(v, logP, gradients);
          if (!listener.searching(calls.addAndGet(logP.length))) {
            throw new StoppedException();
          }
        };
    Modes found = new Pathfinder(density, score.precision(), frame.dimensions(), seed).run();
    if (found.normals().isEmpty()) {
      throw new IllegalArgumentException(
          "density: no answer at any of "
              + found.paths()
              + " points around the start; try another initialPoint or initialScale");
    }
    return new Beginning(frame, found);
  }

  /** The normal with the best bound, at one mode. */
  LocalNormal best() {
    return modes.normals().getFirst();
  }

  /** Whether there are modes that a fit of one of them would miss. */
  boolean separate() {
    return modes.normals().size() > 1;
  }

  /** The β at which what lies between the modes is no barrier any more; 1 for one mode. */
  double coldest() {
    return separate() ? 1 / Math.max(LEAST_BARRIER, modes.barrier()) : 1;
  }

  /** The frame of the best normal. */
  Frame local() {
    return frame.then(best().centre(), best().factor(), best().logDet());
  }

  /** The same without its correlations. */
  Frame diagonal() {
    return frame.then(best().centre(), Modes.spread(List.of(best())).sds());
  }

  /** The frame of all modes. */
  Frame wide() {
    return frame.then(modes.spread().centre(), modes.spread().sds());
  }

  /** One line. */
  String note(String prefix) {
    String text =
        separate()
            ? "%d points led to %d modes%s"
                .formatted(
                    modes.paths(),
                    modes.normals().size(),
                    modes.counted() ? "" : ", and there seem to be more")
            : modes.paths() + " points led to one mode";
    return prefix + text;
  }

  /** For a file. */
  Map<String, Tensor> tensors() {
    int d = frame.dimensions();
    int k = modes.normals().size();
    Backend backend = Backend.cpu(Precision.FLOAT64);
    return Map.of(
        "centres", backend.tensor(joined(LocalNormal::centre), k, d),
        "factors", backend.tensor(joined(LocalNormal::factor), k, d, d),
        "log_dets", backend.tensor(joined(n -> new double[] {n.logDet()}), k),
        "log_ps", backend.tensor(joined(n -> new double[] {n.logP()}), k),
        "elbos", backend.tensor(joined(n -> new double[] {n.elbo()}), k));
  }

  private double[] joined(Function<LocalNormal, double[]> part) {
    return modes.normals().stream().map(part).flatMapToDouble(Arrays::stream).toArray();
  }

  /** The numbers beside them. */
  SortedMap<String, String> numbers() {
    return new TreeMap<>(
        Map.of(
            "barrier", Double.toString(modes.barrier()),
            "points", Integer.toString(modes.paths()),
            "counted", Boolean.toString(modes.counted())));
  }

  /** From {@link #tensors} and {@link #numbers}. */
  static Beginning of(Frame frame, Safetensors.Content saved) {
    int d = frame.dimensions();
    double[] centres = tensor(saved, "centres");
    double[] factors = tensor(saved, "factors");
    double[] logDets = tensor(saved, "log_dets");
    double[] logPs = tensor(saved, "log_ps");
    double[] elbos = tensor(saved, "elbos");
    List<LocalNormal> normals =
        IntStream.range(0, elbos.length)
            .mapToObj(
                k ->
                    new LocalNormal(
                        Arrays.copyOfRange(centres, k * d, (k + 1) * d),
                        Arrays.copyOfRange(factors, k * d * d, (k + 1) * d * d),
                        logDets[k],
                        logPs[k],
                        elbos[k]))
            .toList();
    boolean counted = Boolean.parseBoolean(Report.text(saved.metadata(), "counted"));
    int points = (int) number(saved, "points");
    return new Beginning(frame, new Modes(normals, number(saved, "barrier"), points, counted));
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
