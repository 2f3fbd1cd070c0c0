package cifvi.start.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.tensor.Precision;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Where fits begin, for densities in awkward units, shapes and numbers of modes. */
class PathfinderTest {
  private static final double LOG_2_PI = Math.log(2 * Math.PI);

  private interface Density {
    double at(double[] z, double[] gradient);
  }

  private static Modes search(int d, Density density) {
    return new Pathfinder(
            (z, logP, gradients) -> {
              for (int row = 0; row < logP.length; row++) {
                double[] gradient = new double[d];
                double value = density.at(Arrays.copyOfRange(z, row * d, (row + 1) * d), gradient);
                logP[row] = Double.isFinite(value) ? value : Double.NEGATIVE_INFINITY;
                if (gradients != null) {
                  System.arraycopy(gradient, 0, gradients, row * d, d);
                }
              }
            },
            Precision.FLOAT64,
            d,
            1)
        .run();
  }

  private static LocalNormal onlyMode(int d, Density density) {
    Modes modes = search(d, density);
    assertThat(modes.normals()).hasSize(1);
    return modes.normals().getFirst();
  }

  /** Normalised. */
  private static Density normal(double[] means, double[] sds) {
    return (z, gradient) -> {
      double sum = 0;
      for (int i = 0; i < z.length; i++) {
        double e = (z[i] - means[i]) / sds[i];
        gradient[i] = -e / sds[i];
        sum -= 0.5 * e * e + Math.log(sds[i]) + 0.5 * LOG_2_PI;
      }
      return sum;
    };
  }

  @Test
  void unitsDoNotMatter() {
    double[] means = {500, -3e4, 0.01, 1, 1e5};
    double[] sds = {1e-4, 1e4, 1e-3, 1, 30};
    LocalNormal found = onlyMode(5, normal(means, sds));
    assertThat(found.elbo()).isCloseTo(0, within(0.01));
    for (int i = 0; i < 5; i++) {
      assertThat(found.centre()[i]).isCloseTo(means[i], within(0.1 * sds[i]));
      assertThat(Math.sqrt(found.variance(i))).isCloseTo(sds[i], within(0.01 * sds[i]));
    }
  }

  @Test
  void norDoTwoHundredDimensions() {
    double[] means = new double[200];
    double[] sds = new double[200];
    for (int i = 0; i < 200; i++) {
      means[i] = 50 * Math.sin(i);
      sds[i] = Math.exp(3 * Math.cos(i));
    }
    assertThat(onlyMode(200, normal(means, sds)).elbo()).isCloseTo(0, within(0.01));
  }

  /** Ten variables, every two with correlation 0.999, in units from 10^-5 to 10^4. */
  @Test
  void correlationIsFound() {
    int d = 10;
    double rho = 0.999;
    double a = 1 / (1 - rho);
    double b = rho / (1 - rho) / (1 + (d - 1) * rho);
    double constant = -0.5 * ((d - 1) * Math.log(1 - rho) + Math.log(1 + (d - 1) * rho));
    Density density =
        (z, gradient) -> {
          double sum = 0;
          double squares = 0;
          double units = 0;
          for (int i = 0; i < d; i++) {
            double y = z[i] / Math.pow(10, i - 5) - 300;
            sum += y;
            squares += y * y;
            units += Math.log(Math.pow(10, i - 5));
          }
          for (int i = 0; i < d; i++) {
            double y = z[i] / Math.pow(10, i - 5) - 300;
            gradient[i] = (b * sum - a * y) / Math.pow(10, i - 5);
          }
          return -0.5 * (a * squares - b * sum * sum) + constant - 0.5 * d * LOG_2_PI - units;
        };
    assertThat(onlyMode(d, density).elbo()).isCloseTo(0, within(0.05));
  }

  /** log p is highest deep in the neck, at v = -40.5, where a normal has next to no bound. */
  @Test
  void aFunnelIsNotEnteredByItsNeck() {
    LocalNormal found =
        onlyMode(
            10,
            (z, gradient) -> {
              double squares = 0;
              for (int i = 1; i < 10; i++) {
                squares += z[i] * z[i];
                gradient[i] = -z[i] * Math.exp(-z[0]);
              }
              gradient[0] = -z[0] / 9 - 4.5 + 0.5 * squares * Math.exp(-z[0]);
              return -z[0] * z[0] / 18
                  - 4.5 * z[0]
                  - 0.5 * squares * Math.exp(-z[0])
                  - Math.log(3)
                  - 5 * LOG_2_PI;
            });
    assertThat(found.elbo()).isGreaterThan(-2.5); // -1.8628 is the best of all normals
    assertThat(found.centre()[0]).isBetween(-4.0, 4.0);
  }

  @Test
  void heavyTailsAreCrossed() {
    LocalNormal found =
        onlyMode(
            3,
            (z, gradient) -> {
              double sum = 0;
              for (int i = 0; i < 3; i++) {
                double e = (z[i] - 500) / 2;
                gradient[i] = -e / (1 + e * e);
                sum -= Math.log(2 * Math.PI * (1 + e * e));
              }
              return sum;
            });
    assertThat(found.centre()).containsExactly(new double[] {500, 500, 500}, within(2.0));
  }

  /** No answer where z₁ < 1: not at the first point, and nowhere near it. */
  @Test
  void aPlaceWithoutAnAnswerIsLeft() {
    Density beyond =
        (z, gradient) ->
            z[0] < 1
                ? Double.NaN
                : normal(new double[] {6, 0}, new double[] {1, 1}).at(z, gradient);
    assertThat(onlyMode(2, beyond).elbo()).isCloseTo(0, within(0.01));
    assertThat(search(2, (_, _) -> Double.NaN).normals()).isEmpty();
  }

  /** Weights 0.1 and 0.9, two hundred standard deviations from each other. */
  @Test
  void separateModesAreFoundAndSpanned() {
    Density right = normal(new double[] {100, 0}, new double[] {1, 1});
    Density left = normal(new double[] {-100, 0}, new double[] {1, 1});
    Modes modes =
        search(
            2,
            (z, gradient) ->
                z[0] > 0
                    ? right.at(z, gradient) + Math.log(0.1)
                    : left.at(z, gradient) + Math.log(0.9));
    assertThat(modes.normals()).hasSize(2);
    assertThat(modes.normals().getFirst().centre()[0]).isCloseTo(-100, within(0.1));
    assertThat(modes.spread().sds()).containsExactly(new double[] {100, 1}, within(0.1));
    assertThat(modes.counted()).isTrue();
  }

  /** Six modes in every one of six dimensions are 46,656. */
  @Test
  void whereThereAreTooManyModesTheyAreNotCounted() {
    Modes modes =
        search(
            6,
            (z, gradient) -> {
              double sum = 0;
              for (int i = 0; i < 6; i++) {
                sum += 10 * Math.cos(3 * z[i]) - 0.05 * z[i] * z[i];
                gradient[i] = -30 * Math.sin(3 * z[i]) - 0.1 * z[i];
              }
              return sum;
            });
    assertThat(modes.counted()).isFalse();
    assertThat(modes.paths()).isLessThan(100);
  }

  /** Far outside, and narrow: no ascent from anywhere but its own surroundings ends there. */
  @Test
  void modesBeyondValleysAreFound() {
    for (double[] far : new double[][] {{200, 1}, {20, 0.1}, {-6.5, 0.05}}) {
      Modes modes = search(2, twoModes(far[0], far[1]));
      assertThat(modes.normals()).as("at %s", far[0]).hasSize(2);
      assertThat(modes.normals())
          .anySatisfy(
              normal -> {
                assertThat(normal.centre()[0]).isCloseTo(far[0], within(1e-3));
                assertThat(normal.elbo()).isCloseTo(Math.log(0.3), within(0.01));
              });
    }
  }

  /** 0.7 N(0, 1) + 0.3 N((far, 0), sd²). */
  private static Density twoModes(double far, double sd) {
    Density wide = normal(new double[2], new double[] {1, 1});
    Density narrow = normal(new double[] {far, 0}, new double[] {sd, sd});
    return (z, gradient) -> {
      double[] other = new double[2];
      double a = Math.log(0.7) + wide.at(z, gradient);
      double b = Math.log(0.3) + narrow.at(z, other);
      double sum = Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
      for (int i = 0; i < 2; i++) {
        gradient[i] = Math.exp(a - sum) * gradient[i] + Math.exp(b - sum) * other[i];
      }
      return sum;
    };
  }
}
