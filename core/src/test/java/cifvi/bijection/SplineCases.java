package cifvi.bijection;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Raw spline parameters, moderate and saturated, with the inputs that are hardest for them. */
final class SplineCases {
  static final double BOUND = 3;
  private static final double SATURATED = 1e4;
  private static final double MIN_SIZE = 1e-3;

  /** How the raw numbers of a spline are chosen. */
  enum Pattern {
    EQUAL,
    LOW,
    HIGH,
    FIRST_LOW,
    FIRST_HIGH,
    ALTERNATING,
    RANDOM;

    private double value(int i) {
      return switch (this) {
        case EQUAL -> 0;
        case LOW -> -SATURATED;
        case HIGH -> SATURATED;
        case FIRST_LOW -> i == 0 ? -SATURATED : 0;
        case FIRST_HIGH -> i == 0 ? SATURATED : 0;
        case ALTERNATING -> i % 2 == 0 ? SATURATED : -SATURATED;
        case RANDOM -> 2 * new Random(i).nextGaussian();
      };
    }

    private DoubleStream values(int count) {
      return IntStream.range(0, count).mapToDouble(this::value);
    }
  }

  private static final List<Pattern> SIZES =
      List.of(
          Pattern.EQUAL,
          Pattern.FIRST_LOW,
          Pattern.FIRST_HIGH,
          Pattern.ALTERNATING,
          Pattern.RANDOM);
  private static final List<Pattern> DERIVATIVES =
      List.of(Pattern.EQUAL, Pattern.LOW, Pattern.HIGH, Pattern.ALTERNATING, Pattern.RANDOM);

  /** One spline; heights go against the widths, so that slopes become as steep as they can. */
  record Case(Pattern widths, Pattern derivatives, int bins, Precision precision) {
    RationalQuadraticSpline spline() {
      return new RationalQuadraticSpline(bins, BOUND);
    }

    /** The raw parameters, once for each of {@code count} inputs. */
    Tensor raw(long count) {
      double[] sizes = widths.values(bins).toArray();
      double[] heights = widths.values(bins).map(v -> -v).toArray();
      double[] inner = derivatives.values(bins - 1).toArray();
      double[] raw = concatenated(concatenated(sizes, heights), inner);
      return Backend.cpu(precision).tensor(raw, 1, raw.length).repeat(count, 1);
    }

    /** In order: all knots of the axis and their neighbours, ±B, a grid, and ten times outside. */
    Tensor inputs(int axis) {
      var special = DoubleStream.of(Backend.doubles(knots(axis))).flatMap(this::neighbours);
      var grid = IntStream.rangeClosed(-100, 100).mapToDouble(i -> i * BOUND / 100);
      var edges = DoubleStream.of(-BOUND, BOUND).flatMap(this::neighbours);
      var far = DoubleStream.of(-10 * BOUND, 10 * BOUND);
      double[] all =
          List.of(special, grid, edges, far).stream()
              .flatMapToDouble(s -> s)
              .sorted()
              .distinct()
              .toArray();
      return Backend.cpu(precision).tensor(all, all.length);
    }

    /** The inner knots as the spline computes them, to the last digit. */
    private Tensor knots(int axis) {
      Tensor sizes = torch.softmax(raw(1).narrow(1, (long) axis * bins, bins), -1);
      Tensor above = sizes.mul(Scalars.of(1 - bins * MIN_SIZE)).add(Scalars.of(MIN_SIZE));
      Tensor inner = torch.cumsum(above, -1).narrow(-1, 0, bins - 1L);
      return inner.mul(Scalars.of(2 * BOUND)).sub(Scalars.of(BOUND));
    }

    private DoubleStream neighbours(double v) {
      return precision == Precision.FLOAT64
          ? DoubleStream.of(Math.nextDown(v), v, Math.nextUp(v))
          : DoubleStream.of(Math.nextDown((float) v), v, Math.nextUp((float) v));
    }

    @Override
    public String toString() {
      return "%s sizes, %s derivatives, %d bins, %s"
          .formatted(widths, derivatives, bins, precision);
    }
  }

  private SplineCases() {}

  static List<Case> all() {
    var cases = new ArrayList<Case>();
    for (Precision precision : Precision.values()) {
      cases.add(new Case(Pattern.EQUAL, Pattern.EQUAL, 1, precision)); // nothing to choose
      for (Pattern widths : SIZES) {
        for (Pattern derivatives : DERIVATIVES) {
          cases.add(new Case(widths, derivatives, 4, precision));
          cases.add(new Case(widths, derivatives, 8, precision));
        }
      }
    }
    return cases;
  }

  private static double[] concatenated(double[] a, double[] b) {
    return DoubleStream.concat(DoubleStream.of(a), DoubleStream.of(b)).toArray();
  }
}
