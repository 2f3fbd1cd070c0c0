package cifvi.experiments.target;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;

/**
 * Forty normals of equal weight and covariance I, with means uniform on [-40, 40]². Normalised.
 *
 * <p>That is the problem of Midgley et al. (arXiv 2208.01893) with the scale of Blessing et al.
 * (arXiv 2406.07423), but not the same means: each code draws its own. Ours are words 0, 1, ... of
 * the counter-based generator with seed 40, purpose {@code INITIALISE}, on every machine.
 */
final class Mixture40 implements KnownDensity {
  static final int COMPONENTS = 40;
  private static final double BOX = 40;
  private static final long SEED = 40;
  private static final ParameterSpace SPACE = ParameterSpace.of(Parameter.real("z").vector(2));

  private final double[] means = new double[2 * COMPONENTS];

  Mixture40() {
    int[] words = new int[4];
    for (int i = 0; i < means.length; i++) {
      CounterRng.words(SEED, Purpose.INITIALISE, 0, 0, i / 4, words);
      double uniform = (Integer.toUnsignedLong(words[i % 4]) + 0.5) * 0x1p-32;
      means[i] = BOX * (2 * uniform - 1);
    }
  }

  @Override
  public String description() {
    return "forty normals with means uniform on [-40, 40]²";
  }

  @Override
  public int dimensions() {
    return 2;
  }

  @Override
  public ParameterSpace parameters() {
    return SPACE;
  }

  /** Coordinate {@code c} of the mean of component k. */
  double mean(int k, int c) {
    return means[2 * k + c];
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double most = -0.5 * square(z, nearest(z));
    double sum = 0;
    gradient[0] = 0;
    gradient[1] = 0;
    for (int k = 0; k < COMPONENTS; k++) {
      double e = Math.exp(-0.5 * square(z, k) - most);
      sum += e;
      gradient[0] += e * (mean(k, 0) - z[0]);
      gradient[1] += e * (mean(k, 1) - z[1]);
    }
    gradient[0] /= sum;
    gradient[1] /= sum;
    return most + Math.log(sum / COMPONENTS) - 2 * Normals.HALF_LOG_2_PI;
  }

  private double square(double[] z, int k) {
    double x = z[0] - mean(k, 0);
    double y = z[1] - mean(k, 1);
    return x * x + y * y;
  }

  /** The component whose mean is nearest. */
  int nearest(double[] z) {
    int nearest = 0;
    for (int k = 1; k < COMPONENTS; k++) {
      if (square(z, k) < square(z, nearest)) {
        nearest = k;
      }
    }
    return nearest;
  }

  /** The region of a component is where its mean is nearest; two that overlap lose equally. */
  @Override
  public KnownAnswers known() {
    var known = KnownAnswers.ofLogZ(0);
    for (int c = 0; c < 2; c++) {
      double mean = 0;
      double square = 0;
      for (int k = 0; k < COMPONENTS; k++) {
        mean += mean(k, c) / COMPONENTS;
        square += mean(k, c) * mean(k, c) / COMPONENTS;
      }
      known = known.withMoments("z." + (c + 1), mean, Math.sqrt(1 + square - mean * mean));
    }
    for (int k = 0; k < COMPONENTS; k++) {
      int component = k;
      known = known.withRegion("mode " + (k + 1), 1.0 / COMPONENTS, z -> nearest(z) == component);
    }
    return known;
  }
}
