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

  /** The first number, then round whole numbers up to {@code high}. */
  public static double[] whole(long first, long high, int most) {
    double[] round = between(0, (double) high, most);
    double step = round.length > 1 ? round[1] : (double) high;
    return DoubleStream.concat(
            DoubleStream.of((double) first),
            Arrays.stream(round).filter(t -> t == Math.rint(t) && t > first + step / 2))
        .toArray();
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
