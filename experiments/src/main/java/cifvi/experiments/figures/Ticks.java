package cifvi.experiments.figures;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Round numbers to write along an axis. */
public final class Ticks {
  private static final double[] STEPS = {1, 2, 5, 10};

  private Ticks() {}

  /** The multiples of 1, 2 or 5 times a power of ten in [low, high], at most {@code most}. */
  public static double[] between(double low, double high, int most) {
    double step = step((high - low) / most);
    while ((long) Math.floor(high / step) - (long) Math.ceil(low / step) >= most) {
      step = step(step * 1.01);
    }
    double width = step;
    return LongStream.rangeClosed(
            (long) Math.ceil(low / step - 1e-9), (long) Math.floor(high / step + 1e-9))
        .mapToDouble(i -> i * width)
        .toArray();
  }

  /** Whole numbers from 0 to {@code high}. */
  public static double[] whole(double high, int most) {
    return Arrays.stream(between(0, high, most)).filter(t -> t == Math.rint(t)).toArray();
  }

  /** 0 and the negative powers of ten in [low, high]. */
  static double[] negativePowers(double low, double high) {
    return DoubleStream.concat(
            DoubleStream.of(0), DoubleStream.iterate(-0.1, t -> t >= low, t -> t * 10))
        .filter(t -> t >= low && t <= high)
        .toArray();
  }

  private static double step(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double factor : STEPS) {
      if (factor * power >= least * (1 - 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }
}
