package cifvi.parameter;

import java.util.List;

/** A parameter at its place in both vectors: from {@code y[from]} and from {@code x[at]} on. */
final class Block {
  private final Parameter parameter;
  private final Constraint constraint;
  private final int from;
  private final int at;
  private final int repeats;
  private final int free;

  /** How many numbers of x the constraint writes for one repeat. */
  private final int written;

  /**
   * Where each element of the array begins in x. In y they come one after another, last index
   * fastest; in x, the same number of all of them comes first, first index fastest.
   */
  private final int[] starts;

  Block(Parameter parameter, int from, int at) {
    this.parameter = parameter;
    this.constraint = parameter.constraint();
    this.from = from;
    this.at = at;
    this.repeats = parameter.repeats();
    this.free = (int) constraint.unconstrained();
    this.written = (int) Sizes.product(constraint.dimensions());
    this.starts = starts(parameter.arrayDimensions(), at);
  }

  private static int[] starts(List<Integer> dimensions, int at) {
    var starts = new int[(int) Sizes.product(dimensions)];
    for (int k = 0; k < starts.length; k++) {
      int rest = k;
      int stride = starts.length;
      starts[k] = at;
      for (int size : dimensions.reversed()) {
        stride /= size;
        starts[k] += rest % size * stride;
        rest /= size;
      }
    }
    return starts;
  }

  Parameter parameter() {
    return parameter;
  }

  int at() {
    return at;
  }

  int unconstrainedSize() {
    return starts.length * repeats * free;
  }

  int constrainedSize() {
    return starts.length * repeats * written;
  }

  double constrain(double[] y, double[] x) {
    double logJacobian = 0;
    int j = from;
    for (int start : starts) {
      for (int r = 0; r < repeats; r++) {
        logJacobian += constrain(y, j, x, start, r);
        j += free;
      }
    }
    return logJacobian;
  }

  private double constrain(double[] y, int j, double[] x, int start, int repeat) {
    try {
      return constraint.constrain(y, j, x, place(start, repeat), starts.length);
    } catch (ArithmeticException e) {
      var named = new ArithmeticException(name(start, repeat) + ": " + e.getMessage());
      named.initCause(e);
      throw named;
    }
  }

  void pullBack(double[] y, double[] x, double[] xGradient, double[] yGradient) {
    int j = from;
    for (int start : starts) {
      for (int r = 0; r < repeats; r++) {
        constraint.pullBack(y, j, x, place(start, r), starts.length, xGradient, yGradient);
        j += free;
      }
    }
  }

  void unconstrain(double[] x, double[] y) {
    int j = from;
    for (int start : starts) {
      for (int r = 0; r < repeats; r++) {
        constraint.unconstrain(x, place(start, r), starts.length, y, j);
        j += free;
      }
    }
  }

  void requireAllowed(double[] x) {
    for (int start : starts) {
      for (int r = 0; r < repeats; r++) {
        String violation = constraint.violation(x, place(start, r), starts.length);
        if (violation != null) {
          throw new IllegalArgumentException(name(start, r) + ": " + violation);
        }
      }
    }
  }

  private int place(int start, int repeat) {
    return start + repeat * starts.length;
  }

  /** The name of a scalar's column, or of the element of the array that a constraint spans. */
  private String name(int start, int repeat) {
    List<Integer> dimensions =
        constraint instanceof ScalarConstraint
            ? parameter.dimensions()
            : parameter.arrayDimensions();
    return Names.columns(parameter.name(), dimensions).get(place(start, repeat) - at);
  }
}
