package cifvi.experiments.density;

import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Densities in the plane that are known by name, as those who estimate densities use them (FFJORD's
 * toy data), and a picture.
 */
public enum PlaneSet {
  TWO_MOONS {
    @Override
    double[] point(double[] u, double[] e) {
      double angle = Math.PI * u[0];
      boolean upper = u[1] < 0.5;
      double x = upper ? Math.cos(angle) : 1 - Math.cos(angle);
      double y = upper ? Math.sin(angle) : 0.5 - Math.sin(angle);
      return new double[] {2 * (x + 0.1 * e[0]) - 1, 2 * (y + 0.1 * e[1]) - 0.2};
    }
  },
  CHECKERBOARD {
    @Override
    double[] point(double[] u, double[] e) {
      double x = 4 * u[0] - 2;
      double y = u[1] - (u[2] < 0.5 ? 0 : 2) + Math.floorMod((int) Math.floor(x), 2);
      return new double[] {2 * x, 2 * y};
    }
  },
  RINGS {
    @Override
    double[] point(double[] u, double[] e) {
      double radius = 0.75 * (1 + Math.floor(4 * u[0]));
      double angle = 2 * Math.PI * u[1];
      return new double[] {
        radius * Math.cos(angle) + 0.08 * e[0], radius * Math.sin(angle) + 0.08 * e[1]
      };
    }
  },
  SPIRALS {
    @Override
    double[] point(double[] u, double[] e) {
      double angle = 3 * Math.PI * Math.sqrt(u[0]);
      double side = u[1] < 0.5 ? 1 : -1;
      return new double[] {
        side * (-Math.cos(angle) * angle + 0.5 * u[2]) / 3 + 0.1 * e[0],
        side * (Math.sin(angle) * angle + 0.5 * u[3]) / 3 + 0.1 * e[1]
      };
    }
  },
  EIGHT_GAUSSIANS {
    @Override
    double[] point(double[] u, double[] e) {
      double angle = Math.PI / 4 * Math.floor(8 * u[0]);
      return new double[] {
        (4 * Math.cos(angle) + 0.5 * e[0]) / Math.sqrt(2),
        (4 * Math.sin(angle) + 0.5 * e[1]) / Math.sqrt(2)
      };
    }
  },
  PINWHEEL {
    @Override
    double[] point(double[] u, double[] e) {
      double along = 1 + 0.3 * e[0];
      double across = 0.1 * e[1];
      double angle = 2 * Math.PI / 5 * Math.floor(5 * u[0]) + 0.25 * Math.exp(along);
      return new double[] {
        2 * (along * Math.cos(angle) + across * Math.sin(angle)),
        2 * (across * Math.cos(angle) - along * Math.sin(angle))
      };
    }
  },
  PICTURE {
    @Override
    double[] point(double[] u, double[] e) {
      return Picture.LETTERS.point(u);
    }
  };

  /** Names of the two columns. */
  static final List<String> COLUMNS = List.of("x", "y");

  /** Makes a point of four uniforms and two normals. */
  private interface Maker {
    double[] point(double[] u, double[] e);
  }

  /** A point from four uniforms and two normals. */
  abstract double[] point(double[] u, double[] e);

  /** Rows of x and y, which follow from the seed; more of them begin with the same. */
  public double[][] draw(int rows, long seed) {
    return draw(this::point, rows, seed);
  }

  /** Likewise of a picture. */
  static double[][] draw(Picture picture, int rows, long seed) {
    return draw((u, _) -> picture.point(u), rows, seed);
  }

  private static double[][] draw(Maker maker, int rows, long seed) {
    var rng = new CounterRng(Backend.cpu(Precision.FLOAT64), seed, Purpose.DATA);
    double[] u = rng.uniforms(rows, 4);
    double[] e = rng.layer(0).normals(rows, 2);
    double[][] points = new double[rows][];
    Arrays.setAll(
        points,
        i ->
            maker.point(
                Arrays.copyOfRange(u, 4 * i, 4 * i + 4), Arrays.copyOfRange(e, 2 * i, 2 * i + 2)));
    return points;
  }

  /** The set of this name. */
  public static Optional<PlaneSet> named(String name) {
    return Arrays.stream(values()).filter(set -> set.toString().equals(name)).findFirst();
  }

  /** In commands and files: {@code two-moons}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
