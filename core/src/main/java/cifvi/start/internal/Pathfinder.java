package cifvi.start.internal;

import cifvi.target.HostTarget.Densities;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;

/**
 * Ascents from points that lie ever further out, and the modes they end in: a round from around 0,
 * one from around what that has found and from beyond the valleys around its best, and more until
 * they are unlikely to find another mode, unless there seem to be more than can be counted.
 */
public final class Pathfinder {
  private static final int PATHS = 8; // a round
  private static final int FEW_ROUNDS = 5;
  private static final int MOST_ROUNDS = 40;
  private static final double MOST_MODES = 100;

  /** A chance of finding another mode that is not worth more ascents. */
  private static final double UNLIKELY = 0.01;

  private static final int DRAWS = 16;
  private static final int JUDGED = 64;
  private static final int LONGEST = 100;
  private static final int BETWEEN = 9;

  /** In nats: two points are of one mode where log p falls less than this between them. */
  private static final double VALLEY = 2;

  /** How far out points of the first round lie. */
  private static final double[] WIDTHS = {0, 1, 1, 2, 2, 4, 4, 8};

  /** How far outside what was found points of the next round lie, and those of later ones. */
  private static final double OUTSIDE = 3;

  private static final double[] AMONG = {0.5, 1, 1, 1, 1, 1.5, 2, 3};

  private final Densities density;
  private final Precision precision;
  private final int d;
  private final long seed;
  private final double[] noise;
  private final List<Found> modes = new ArrayList<>();
  private int paths;

  /** A mode, and how many ascents have ended there. */
  private record Found(LocalNormal normal, int times) {
    Found again(LocalNormal other) {
      return new Found(other.elbo() > normal.elbo() ? other : normal, times + 1);
    }
  }

  /**
   * @param density about as wide as a standard normal, if anything is known; -∞ where it has no
   *     answer
   * @param precision of its gradients
   */
  public Pathfinder(Densities density, Precision precision, int dimensions, long seed) {
    this.precision = precision;
    this.density = density;
    this.d = dimensions;
    this.seed = seed;
    noise = normals(0, JUDGED);
  }

  /** Best bound first; none where the density has no answer. */
  public Modes run() {
    double[] centre = new double[d];
    double[] sds = new double[d];
    Arrays.fill(sds, 1);
    for (int round = 0; round < MOST_ROUNDS; round++) {
      int before = modes.size();
      ascend(starts(round, centre, sds), centre);
      prune();
      if (round == 1 && !modes.isEmpty()) {
        ascend(beyondValleys(), centre);
        prune();
      }
      boolean counted = round > 0 && modes.size() <= before && unseen() <= UNLIKELY;
      if (modes.isEmpty() || counted || (round + 1 >= FEW_ROUNDS && estimate() > MOST_MODES)) {
        break;
      }
      Modes.Spread spread = Modes.spread(normals());
      centre = spread.centre();
      sds = spread.sds();
    }
    return new Modes(normals(), barrier(), paths, unseen() <= UNLIKELY);
  }

  private List<LocalNormal> normals() {
    return modes.stream().map(Found::normal).toList();
  }

  private long found(int times) {
    return modes.stream().filter(mode -> mode.times == times).count();
  }

  /** The chance that the next ascent ends in a mode that none has found (Good, 1953). */
  private double unseen() {
    return found(1) / (double) paths;
  }

  /** How many modes there are, by those that were found once and twice (Chao, 1984). */
  private double estimate() {
    return modes.size() + found(1) * (found(1) - 1) / (2.0 * (found(2) + 1));
  }

  private double[] normals(int stream, int rows) {
    try (var _ = new PointerScope()) {
      var rng = new CounterRng(Backend.cpu(Precision.FLOAT64), seed, Purpose.INITIALISE);
      return Backend.doubles(rng.step(1 + stream).normal(rows, d));
    }
  }

  private List<double[]> starts(int round, double[] centre, double[] sds) {
    double[] away = normals(1 + round, PATHS);
    var starts = new ArrayList<double[]>();
    for (int path = 0; path < PATHS; path++) {
      double width = width(round, path);
      double[] start = centre.clone();
      for (int i = 0; i < d; i++) {
        start[i] += width * sds[i] * away[path * d + i];
      }
      starts.add(start);
    }
    return starts;
  }

  /** On lines through the best mode and through a draw of its normal, along the axes of both. */
  private List<double[]> beyondValleys() {
    LocalNormal best = modes.getFirst().normal;
    var points = List.of(best.centre(), best.draw(noise, 0));
    var valleys = new Valleys(density);
    var found = new ArrayList<Valleys.Beyond>();
    for (int axis = 0; axis < d; axis++) {
      double[] own = new double[d];
      double[] alone = new double[d];
      alone[axis] = Math.sqrt(best.variance(axis));
      for (int i = 0; i < d; i++) {
        own[i] = best.factor()[i * d + axis];
      }
      found.addAll(valleys.through(points, own));
      found.addAll(valleys.through(points, alone));
    }
    return found.stream()
        .sorted(Comparator.comparingDouble(b -> -b.logP()))
        .limit(PATHS)
        .map(Valleys.Beyond::top)
        .toList();
  }

  private void ascend(List<double[]> starts, double[] centre) {
    double[] judged = Arrays.copyOf(noise, DRAWS * d);
    List<Ascent> ascents =
        starts.stream()
            .map(start -> new Ascent(start, centre, judged, LONGEST + d, precision))
            .toList();
    while (ascents.stream().anyMatch(a -> !a.done())) {
      var points = ascents.stream().map(Ascent::ask).toList();
      Answers answers = at(points.stream().flatMap(List::stream).toList());
      int row = 0;
      for (int path = 0; path < ascents.size(); path++) {
        ascents.get(path).tell(answers.logP, answers.gradients, row);
        row += points.get(path).size();
      }
    }
    paths += ascents.size();
    for (Ascent ascent : ascents) {
      LocalNormal best = ascent.best();
      if (best != null && Double.isFinite(best.elbo())) {
        add(judged(best));
      }
    }
  }

  private static double width(int round, int path) {
    return switch (round) {
      case 0 -> WIDTHS[path];
      case 1 -> OUTSIDE;
      default -> AMONG[path];
    };
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answers(double[] logP, double[] gradients) {}

  private Answers at(List<double[]> points) {
    double[] rows = new double[points.size() * d];
    for (int i = 0; i < points.size(); i++) {
      System.arraycopy(points.get(i), 0, rows, i * d, d);
    }
    var answers = new Answers(new double[points.size()], new double[rows.length]);
    density.evaluate(rows, answers.logP, answers.gradients);
    return answers;
  }

  /** The best of a normal, the one with the second derivatives there, and that a Newton step on. */
  private LocalNormal judged(LocalNormal normal) {
    LocalNormal best = normal.withElbo(bound(normal));
    double[] gradient = at(List.of(normal.centre())).gradients;
    var curvature = new Curvature(normal.centre(), gradient, precision);
    Answers around = at(IntStream.range(0, d).mapToObj(curvature::point).toList());
    LocalNormal laplace = curvature.laplace(normal.logP(), around.gradients, 0);
    if (laplace == null) {
      return best;
    }
    double[] top = laplace.newton(gradient);
    for (LocalNormal other : List.of(laplace, laplace.at(top, at(List.of(top)).logP[0]))) {
      double bound = bound(other);
      best = bound > best.elbo() ? other.withElbo(bound) : best;
    }
    return best;
  }

  private double bound(LocalNormal normal) {
    var draws = IntStream.range(0, JUDGED).mapToObj(row -> normal.draw(noise, row)).toList();
    return normal.bound(at(draws).logP, 0, noise, JUDGED);
  }

  /** Beside those it is not one mode with; else in place of the other one if that is worse. */
  private void add(LocalNormal normal) {
    modes.sort(Comparator.comparingDouble(mode -> distance(mode.normal, normal)));
    for (int i = 0; i < modes.size(); i++) {
      if (valley(modes.get(i).normal, normal) <= VALLEY) {
        modes.set(i, modes.get(i).again(normal));
        return;
      }
    }
    modes.add(new Found(normal, 1));
  }

  private double distance(LocalNormal a, LocalNormal b) {
    return IntStream.range(0, d).mapToDouble(i -> Math.pow(a.centre()[i] - b.centre()[i], 2)).sum();
  }

  /** How far log p falls below the lower of two points on the line between them. */
  private double valley(LocalNormal a, LocalNormal b) {
    var points = new ArrayList<double[]>();
    for (int k = 1; k <= BETWEEN; k++) {
      double[] at = new double[d];
      for (int i = 0; i < d; i++) {
        at[i] = a.centre()[i] + k * (b.centre()[i] - a.centre()[i]) / (BETWEEN + 1);
      }
      points.add(at);
    }
    double lowest = Double.POSITIVE_INFINITY;
    for (double logP : at(points).logP) {
      lowest = Math.min(lowest, logP);
    }
    return Math.min(a.logP(), b.logP()) - lowest;
  }

  /** The deepest valley from the best mode to any other that has an answer all the way. */
  private double barrier() {
    double most = 0;
    for (Found mode : modes) {
      double valley = valley(modes.getFirst().normal, mode.normal);
      most = Double.isFinite(valley) ? Math.max(most, valley) : most;
    }
    return most;
  }

  /** Leaves out those that are nothing beside the best, of which many in high dimensions are. */
  private void prune() {
    modes.sort(Comparator.comparingDouble(mode -> -mode.normal.elbo()));
    if (!modes.isEmpty()) {
      double least = modes.getFirst().normal.elbo() - 5 - 0.25 * d;
      modes.removeIf(mode -> mode.normal.elbo() < least);
    }
  }
}
