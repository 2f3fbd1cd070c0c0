package cifvi.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Principal components of points whose covariance is known. */
class PcaTest {
  private static final double[][] CROSS = {{5, 2}, {-3, 2}, {1, 3}, {1, 1}};

  /** The points turned by an angle about the origin. */
  private static double[][] turned(double[][] points, double angle) {
    double cos = Math.cos(angle);
    double sin = Math.sin(angle);
    double[][] turned = new double[points.length][];
    for (int i = 0; i < points.length; i++) {
      double x = points[i][0];
      double y = points[i][1];
      turned[i] = new double[] {cos * x - sin * y, sin * x + cos * y};
    }
    return turned;
  }

  @Test
  void findsTheAxesOfATurnedCross() {
    Pca pca = Pca.of(turned(CROSS, 0.3));
    assertThat(pca.variances()).containsExactly(new double[] {8, 0.5}, within(1e-12));
    assertThat(pca.directions()[0])
        .containsExactly(new double[] {Math.cos(0.3), Math.sin(0.3)}, within(1e-12));
    Points plane = pca.plane(turned(CROSS, 0.3));
    assertThat(plane.x().toArray()).containsExactly(new double[] {4, -4, 0, 0}, within(1e-12));
    assertThat(plane.y().map(Math::abs).toArray())
        .containsExactly(new double[] {0, 0, 1, 1}, within(1e-12));
    assertThat(pca.planeShare()).isCloseTo(1, within(1e-12));
  }

  @Test
  void directionsAreEigenvectorsInManyDimensions() {
    int d = 20;
    var random = new Random(1);
    double[][] points = new double[300][d];
    for (double[] point : points) {
      double common = random.nextGaussian();
      for (int i = 0; i < d; i++) {
        point[i] = random.nextGaussian() * (1 + i % 3) + common;
      }
    }
    Pca pca = Pca.of(points);
    double total = 0;
    for (int a = 0; a < d; a++) {
      total += pca.variances()[a];
      for (int b = 0; b < d; b++) {
        assertThat(covariance(points, pca, a, b))
            .isCloseTo(a == b ? pca.variances()[a] : 0, within(1e-9));
      }
    }
    assertThat(pca.variances()).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(pca.planeShare())
        .isCloseTo((pca.variances()[0] + pca.variances()[1]) / total, within(1e-12));
  }

  /** Of the points along two directions. */
  private static double covariance(double[][] points, Pca pca, int a, int b) {
    double sum = 0;
    for (double[] point : points) {
      double alongA = 0;
      double alongB = 0;
      for (int i = 0; i < point.length; i++) {
        alongA += pca.directions()[a][i] * (point[i] - pca.mean()[i]);
        alongB += pca.directions()[b][i] * (point[i] - pca.mean()[i]);
      }
      sum += alongA * alongB;
    }
    return sum / points.length;
  }

  @Test
  void pointsThatAreAllAlikeHaveNoSpread() {
    Pca pca = Pca.of(new double[][] {{1, 2, 3}, {1, 2, 3}});
    assertThat(pca.variances()).containsExactly(0, 0, 0);
  }
}
