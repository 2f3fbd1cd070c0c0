package cifvi.experiments.target;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;

/**
 * Rings of radius 1, 2 and 3 with equal mass around 0: p(z) = Σ_k e^{-(|z| - k)² / 2σ²} / 3 C_k,
 * with σ = 0.1 and C_k = (2π)^{3/2} k σ, which misses 10^-23 of the integral. Normalised.
 */
final class Rings implements KnownDensity {
  static final int RINGS = 3;
  static final double WIDTH = 0.1;
  private static final ParameterSpace SPACE = ParameterSpace.of(Parameter.real("z").vector(2));

  @Override
  public String description() {
    return "rings of radius 1, 2 and 3 with equal mass";
  }

  @Override
  public int dimensions() {
    return 2;
  }

  @Override
  public ParameterSpace parameters() {
    return SPACE;
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double r = Math.hypot(z[0], z[1]);
    double nearest = Math.clamp(Math.rint(r), 1, RINGS);
    double most = -0.5 * square((r - nearest) / WIDTH);
    double sum = 0;
    double slope = 0;
    for (int k = 1; k <= RINGS; k++) {
      double e = Math.exp(-0.5 * square((r - k) / WIDTH) - most) / k;
      sum += e;
      slope -= e * (r - k) / (WIDTH * WIDTH);
    }
    double radial = r == 0 ? 0 : slope / sum / r; // there is no gradient at 0, nor any mass
    gradient[0] = radial * z[0];
    gradient[1] = radial * z[1];
    return most + Math.log(sum / (RINGS * WIDTH)) - 3 * Normals.HALF_LOG_2_PI;
  }

  private static double square(double v) {
    return v * v;
  }

  /** E r² = k² + 3 σ² on ring k. */
  @Override
  public KnownAnswers known() {
    double square = 0;
    for (int k = 1; k <= RINGS; k++) {
      square += (k * k + 3 * WIDTH * WIDTH) / RINGS;
    }
    double sd = Math.sqrt(square / 2);
    var known = KnownAnswers.ofLogZ(0).withMoments("z.1", 0, sd).withMoments("z.2", 0, sd);
    for (int k = 1; k <= RINGS; k++) {
      int ring = k;
      known =
          known.withRegion(
              "ring " + k,
              1.0 / RINGS,
              z -> Math.clamp(Math.rint(Math.hypot(z[0], z[1])), 1, RINGS) == ring);
    }
    return known;
  }
}
