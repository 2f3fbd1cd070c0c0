package cifvi;

import cifvi.parameter.Outputs;
import cifvi.parameter.ParameterSpace;
import cifvi.parameter.Values;

/**
 * log p(z) and ∂ log p/∂z on R^d, in plain numbers, p being a density that need not be normalised:
 * what {@link Cifvi#fit(LogDensity)} approximates.
 */
public interface LogDensity {
  /** d. */
  int dimensions();

  /**
   * log p(z).
   *
   * <p>A call that throws, or gives anything but a finite number and a finite gradient, says that
   * there is no density at z: such draws are counted, and have weight 0.
   *
   * @param z not to be kept or changed
   * @param gradient to be filled with ∂ log p/∂z
   */
  double at(double[] z, double[] gradient);

  /** What z stands for: by default d real numbers {@code z}. */
  default ParameterSpace parameters() {
    return Fit.unnamed(dimensions());
  }

  /** What is told of a draw: by default the values of {@link #parameters}. */
  default Outputs outputs() {
    return parameters();
  }

  /** Where a fit begins that is not told: by default 0. */
  default double[] initialPoint() {
    return new double[dimensions()];
  }

  /**
   * What this is the density of, for files of fits, which say so where they are used with another
   * one; by default nothing, which fits all.
   */
  default String identity() {
    return "";
  }

  /** How {@link #at} may be called. */
  default Calls calls() {
    return Calls.ONE_AT_A_TIME;
  }

  /** In which threads a density is called. */
  enum Calls {
    /** By one thread: safe for every density. */
    ONE_AT_A_TIME,
    /** By as many threads as a fit is given, at once. */
    PARALLEL,
    /** By a virtual thread for every draw: for densities that wait, for a service for instance. */
    VIRTUAL
  }

  /** Value and gradient at a point. */
  @FunctionalInterface
  interface Function {
    double at(double[] z, double[] gradient);
  }

  /** A density in d dimensions, called one at a time. */
  static LogDensity of(int dimensions, Function function) {
    return of(dimensions, Calls.ONE_AT_A_TIME, function);
  }

  /** A density in d dimensions. */
  static LogDensity of(int dimensions, Calls calls, Function function) {
    return new LogDensity() {
      @Override
      public int dimensions() {
        return dimensions;
      }

      @Override
      public double at(double[] z, double[] gradient) {
        return function.at(z, gradient);
      }

      @Override
      public Calls calls() {
        return calls;
      }
    };
  }

  /** Value and gradient at constrained values. */
  @FunctionalInterface
  interface ConstrainedFunction {
    /**
     * log p(x), without any Jacobian.
     *
     * @param gradient to be filled with ∂ log p/∂x; 0 before
     */
    double at(Values x, Values gradient);
  }

  /** A density of named parameters, called one at a time; z = f⁻¹(x) is unconstrained. */
  static LogDensity of(ParameterSpace parameters, ConstrainedFunction function) {
    return of(parameters, Calls.ONE_AT_A_TIME, function);
  }

  /** A density of named parameters; z = f⁻¹(x) is unconstrained. */
  static LogDensity of(ParameterSpace parameters, Calls calls, ConstrainedFunction function) {
    return new ConstrainedDensity(parameters, calls, function);
  }
}
