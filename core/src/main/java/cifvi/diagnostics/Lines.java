package cifvi.diagnostics;

import cifvi.start.internal.Valleys;
import cifvi.start.internal.Valleys.Beyond;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * p along lines through draws, and what of it lies beyond valleys.
 *
 * <p>Moving a draw of p along a line to where p has its mass on it leaves it a draw of p (Gibbs
 * sampling). So the share of the mass that lies beyond a valley, averaged over draws, is mass of p,
 * however many modes it is spread over: where every variable has two modes, none of all their
 * combinations has any mass to speak of, but half a variable has. Where q is far too small at its
 * top, q misses it.
 */
final class Lines {
  private static final int FEW = 4; // lines along an axis
  private static final int MANY = 64;

  /** Of the mass on a line: less is nothing to ask q about. */
  private static final double WORTH = 0.01;

  private final Whitened p;
  private final Valleys valleys;
  private final double[] draws; // y
  private final double[] cumulative; // of the weights of the draws
  private final double logZ;
  private final SplittableRandom random;

  /**
   * @param draws of q, in y
   * @param weights p/q of the draws
   * @param logZ log evidence as far as q sees it
   */
  Lines(Whitened p, double[] draws, double[] weights, double logZ, SplittableRandom random) {
    this.p = p;
    this.draws = draws;
    this.logZ = logZ;
    this.random = random;
    valleys = new Valleys(p::logDensities);
    cumulative = weights.clone();
    Arrays.parallelPrefix(cumulative, Double::sum);
  }

  /** What a few lines along an axis have met. */
  record Along(int axis, List<Beyond> found) {}

  /** Along the axes of y and of z. */
  List<Along> look() {
    var all = new ArrayList<Along>();
    for (int axis = 0; axis < 2 * p.dimensions(); axis++) {
      all.add(along(axis, FEW));
    }
    return all;
  }

  private Along along(int axis, int lines) {
    var points = new ArrayList<double[]>();
    for (int line = 0; line < lines; line++) {
      points.add(draw((line + random.nextDouble()) / lines));
    }
    return new Along(axis, valleys.through(points, p.axis(axis)));
  }

  /** The draw below which this part of the weight lies. */
  private double[] draw(double part) {
    int last = cumulative.length - 1;
    int found = Arrays.binarySearch(cumulative, part * cumulative[last]);
    int row = Math.min(last, found < 0 ? -found - 1 : found);
    int d = p.dimensions();
    return Arrays.copyOfRange(draws, row * d, (row + 1) * d);
  }

  /** What lies one way along one axis and q misses most of, by more lines; null for nothing. */
  @Nullable Mode missed(List<Along> seen) {
    int axis = -1;
    boolean up = false;
    double most = 0;
    for (Along along : seen) {
      for (boolean way : new boolean[] {false, true}) {
        Mode mode = average(along, way, FEW);
        if (mode != null && mode.missed() && mode.mass() - mode.covered() > most) {
          axis = along.axis;
          up = way;
          most = mode.mass() - mode.covered();
        }
      }
    }
    Mode mode = axis < 0 ? null : average(along(axis, MANY), up, MANY);
    return mode != null && mode.missed() ? mode : null;
  }

  /** Over so many lines, of which some have met a valley. */
  private @Nullable Mode average(Along along, boolean up, int lines) {
    List<Beyond> worth =
        along.found.stream().filter(b -> b.up() == up && b.share() > WORTH).toList();
    if (worth.isEmpty()) {
      return null;
    }
    double[] tops = worth.stream().flatMapToDouble(b -> Arrays.stream(b.top())).toArray();
    double[] logQ = p.logQ(tops, random.nextLong());
    double mass = 0;
    double covered = 0;
    for (int i = 0; i < logQ.length; i++) {
      Beyond b = worth.get(i);
      mass += b.share() / lines;
      covered += b.share() * Math.min(1, Math.exp(logQ[i] + logZ - b.logP())) / lines;
    }
    Beyond top = Collections.max(worth, Comparator.comparingDouble(Beyond::logP));
    return new Mode(Arrays.stream(p.toZ(top.top())).boxed().toList(), mass, covered, List.of());
  }
}
