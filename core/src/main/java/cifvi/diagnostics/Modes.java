package cifvi.diagnostics;

import cifvi.vi.LogMeanExp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Looks for mass of p that q has none of, which no draw of q can show.
 *
 * <p>Gradient ascents begin at points up to 32 times as far away as q is wide, on the far side of
 * every valley that {@link Lines} along the axes meet, and at draws of other starts. Around a
 * maximum that is found, the mass of p and that of q are estimated by importance sampling from the
 * normal of its curvature. It finds modes that such an ascent reaches, what lies beyond a valley on
 * a line, and no others. It shares no search with what a fit begins with, so that what is missed
 * there may be found here.
 */
final class Modes {
  private static final int WIDE_STARTS = 30;
  private static final int AXIS_STARTS = 20;
  private static final int OTHER_STARTS = 20;
  private static final double[] SCALES = {2, 4, 8, 16, 32};
  private static final int MOST_EXAMINED = 12;
  private static final int POINTS = 64;

  /** Above this the matrix of curvature costs more calls than a report should. */
  static final int MOST_DIMENSIONS = 100;

  private final Whitened p;
  private final int d;
  private final double[] draws; // y
  private final double logZ;
  private final List<double[]> others; // z of other starts, in y
  private final SplittableRandom random;
  private final Lines lines;

  /**
   * @param z draws of q
   * @param weights p/q of the draws
   * @param logZ log evidence as far as q sees it
   * @param others draws of other starts
   */
  Modes(
      Approximation q,
      double[] z,
      double[] weights,
      double logZ,
      List<double[]> others,
      long seed) {
    p = new Whitened(q, z);
    d = q.dimensions();
    draws = p.toY(z);
    this.logZ = logZ;
    this.others = others.stream().map(p::toY).toList();
    random = new SplittableRandom(seed);
    lines = new Lines(p, draws, weights, logZ, random);
  }

  long calls() {
    return p.calls();
  }

  /** Maxima that were found, those with most mass first. */
  List<Mode> find() {
    List<Lines.Along> seen = lines.look();
    double[] ends = starts(seen);
    double[] logP = new Ascents(p, ends).run();
    int[] order =
        IntStream.range(0, logP.length)
            .filter(i -> Double.isFinite(logP[i]))
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -logP[i]))
            .mapToInt(i -> i)
            .toArray();
    var normals = new ArrayList<LocalNormal>();
    var modes = new ArrayList<Mode>();
    int examined = 0;
    for (int i : order) {
      if (examined < MOST_EXAMINED && normals.stream().noneMatch(n -> n.contains(ends, i))) {
        examined++;
        double[] centre = Arrays.copyOfRange(ends, i * d, (i + 1) * d);
        var normal = new LocalNormal(p, centre);
        normals.add(normal);
        if (normal.atMaximum()) {
          modes.add(mode(normal, centre));
        }
      }
    }
    Mode missed = lines.missed(seen);
    if (missed != null && modes.stream().noneMatch(Mode::missed)) {
      modes.add(missed);
    }
    modes.sort(Comparator.comparingDouble(mode -> -mode.mass()));
    return modes;
  }

  private double[] starts(List<Lines.Along> seen) {
    var all = new ArrayList<double[]>();
    for (int i = 0; i < WIDE_STARTS; i++) {
      double scale = SCALES[i % SCALES.length];
      all.add(IntStream.range(0, d).mapToDouble(_ -> scale * random.nextGaussian()).toArray());
    }
    seen.stream()
        .flatMap(along -> along.found().stream())
        .sorted(Comparator.comparingDouble(b -> -b.logP()))
        .limit(AXIS_STARTS)
        .forEach(b -> all.add(b.top()));
    for (double[] other : others) {
      for (int i = 0; i < OTHER_STARTS; i++) {
        int row = random.nextInt(other.length / d);
        all.add(Arrays.copyOfRange(other, row * d, (row + 1) * d));
      }
    }
    double[] y = new double[all.size() * d];
    for (int i = 0; i < all.size(); i++) {
      System.arraycopy(all.get(i), 0, y, i * d, d);
    }
    return y;
  }

  private Mode mode(LocalNormal normal, double[] centre) {
    double[] y = normal.draw(POINTS, random);
    double[] logP = new double[POINTS];
    p.logDensities(y, logP, null);
    double[] logQ = p.logQ(y, random.nextLong());
    var massOfP = new LogMeanExp();
    var massOfQ = new LogMeanExp();
    for (int i = 0; i < POINTS; i++) {
      double log = normal.logDensity(y, i);
      massOfP.add(logP[i] - log);
      massOfQ.add(logQ[i] - log);
    }
    double relative = Math.exp(massOfP.value() - logZ);
    double drawn = share(normal, draws);
    return new Mode(
        Arrays.stream(p.toZ(centre)).boxed().toList(),
        relative / (1 + relative),
        Math.max(drawn, Math.exp(massOfQ.value())),
        others.stream().map(other -> share(normal, other)).toList());
  }

  private double share(LocalNormal normal, double[] y) {
    int rows = y.length / d;
    return IntStream.range(0, rows).filter(i -> normal.contains(y, i)).count() / (double) rows;
  }
}
