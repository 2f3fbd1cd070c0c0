package cifvi.start.internal;

import java.util.List;

/**
 * The modes of a density, as far as ascents have found them.
 *
 * @param normals one at each, the one with the best bound first
 * @param barrier how far log p falls, at most, on straight lines between them
 * @param paths how many ascents there were
 * @param counted whether ascents have come to find none but known ones, so that these should be all
 */
public record Modes(List<LocalNormal> normals, double barrier, int paths, boolean counted) {
  /** Mean and standard deviations of the normals taken together, with equal weights. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Spread(double[] centre, double[] sds) {}

  public Spread spread() {
    return spread(normals);
  }

  public static Spread spread(List<LocalNormal> normals) {
    int d = normals.getFirst().centre().length;
    double[] centre = new double[d];
    double[] sds = new double[d];
    int n = normals.size();
    for (int i = 0; i < d; i++) {
      for (LocalNormal normal : normals) {
        centre[i] += normal.centre()[i] / n;
      }
      double square = 0;
      for (LocalNormal normal : normals) {
        square += (normal.variance(i) + Math.pow(normal.centre()[i] - centre[i], 2)) / n;
      }
      sds[i] = Math.sqrt(square);
    }
    return new Spread(centre, sds);
  }
}
