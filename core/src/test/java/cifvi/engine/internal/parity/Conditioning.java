package cifvi.engine.internal.parity;

import cifvi.tensor.Rng;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/**
 * How exact kernels in float32 have to be: as exact as the problem allows, which is the same on
 * every machine.
 *
 * <p>The measure is how far the exact numbers, eager float64, move when noise, parameters and
 * whatever {@link Rounded} hands from one step to the next, and their gradients in the backward
 * pass, move by half a unit in the last place of float32. Kernels may be {@value #MARGIN} times as
 * far off, since they round more often than once a step and their sums are long: healthy ones reach
 * 5, most stay below 2. A kernel that is wrong by one part in 10⁵, 168 halves of a last place, does
 * not pass ({@code MutantTest}).
 *
 * <p>Each name, a tensor of the gradient for instance, is judged by itself, by the root mean square
 * over all its numbers and over some draws of noise, those of the movement too.
 *
 * <p>In which order libtorch adds in float32 belongs to the processor. Of 57,000 terms, the most
 * there are here for a weight of a segment, a sum from the first to the last errs by √n/2.4 halves
 * of a last place, 6·10⁻⁶ of its size; kernels, which add in parts, do not. Gradients of segments'
 * weights may therefore be off by another {@value #LIBTORCH} of their size.
 */
public final class Conditioning {
  static final int MARGIN = 12;
  private static final double LIBTORCH = 2e-5;
  private static final int MOVES = 4;

  private record Reference(Map<String, double[]> exact, Map<String, Double> movement) {
    double error(String name, Map<String, double[]> actual) {
      return squares(get(actual, name), get(exact, name));
    }

    double moved(String name) {
      return Objects.requireNonNull(movement.get(name));
    }

    double size(String name) {
      double[] numbers = get(exact, name);
      return squares(numbers, new double[numbers.length]);
    }
  }

  private final List<Reference> references = new ArrayList<>();

  /** Adds one draw of noise. */
  public void add(Model exact, Rng noise, Computation computation) {
    var expected = computation.of(exact, noise);
    Map<String, Double> movement = new LinkedHashMap<>();
    for (int i = 0; i < MOVES; i++) {
      var moved = moved(exact, noise, computation, i);
      expected.forEach(
          (name, numbers) ->
              movement.merge(name, squares(get(moved, name), numbers) / MOVES, Double::sum));
    }
    references.add(new Reference(expected, movement));
  }

  private static Map<String, double[]> moved(
      Model exact, Rng noise, Computation computation, long seed) {
    var flat = exact.parameters().flat();
    try (var _ = new PointerScope()) {
      Tensor saved = flat.values().clone();
      var ulps = new HalfUlps(seed);
      ulps.move(exact);
      try {
        return computation.of(Rounded.model(exact, ulps), ulps.move(noise));
      } finally {
        flat.update(() -> flat.values().copy_(saved));
      }
    }
  }

  /**
   * Errors as parts of what is allowed, given what kernels computed for every draw of noise.
   *
   * @param libtorchs names of what libtorch has summed
   */
  public SequencedMap<String, Double> scores(
      List<? extends Map<String, double[]>> actual, Predicate<String> libtorchs) {
    if (actual.size() != references.size()) {
      throw new IllegalArgumentException(
          "actual: expected %d draws, got %d".formatted(references.size(), actual.size()));
    }
    SequencedMap<String, Double> scores = new LinkedHashMap<>();
    for (String name : references.getFirst().exact.keySet()) {
      double error = 0;
      double allowed = 0;
      for (int i = 0; i < actual.size(); i++) {
        var reference = references.get(i);
        error += reference.error(name, actual.get(i));
        allowed += MARGIN * MARGIN * reference.moved(name);
        if (libtorchs.test(name)) {
          allowed += LIBTORCH * LIBTORCH * reference.size(name);
        }
      }
      scores.put(name, error == 0 ? 0 : Math.sqrt(error / allowed));
    }
    return scores;
  }

  private static double[] get(Map<String, double[]> numbers, String name) {
    return Objects.requireNonNull(numbers.get(name), name);
  }

  private static double squares(double[] a, double[] b) {
    if (a.length != b.length) {
      throw new IllegalArgumentException("%d numbers instead of %d".formatted(a.length, b.length));
    }
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
  }
}
