package cifvi.parameter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map x = f(y) from R^n onto the values that one kind of parameter may take.
 *
 * <p>Arrays are whole vectors of a {@link ParameterSpace}. The n unconstrained numbers begin at
 * {@code y[j]} and follow one another. Number k of x, a matrix counted column by column, is {@code
 * x[i + k * stride]}: Stan writes the elements of an array side by side, first index fastest.
 *
 * <p>Where rounding would put a value on a bound that it never reaches, it is put on the next
 * double inside, as far as there is one: densities are asked for points at which they are defined.
 */
sealed interface Constraint
    permits ScalarConstraint,
        Simplex,
        Ordered,
        UnitVector,
        CorrelationCholesky,
        CovarianceCholesky {
  /** The dimensions of x: none for a scalar, one for a vector, two for a matrix. */
  List<Integer> dimensions();

  /** How many unconstrained numbers there are; a long, since a declaration may ask for too many. */
  long unconstrained();

  /** Writes x = f(y), and returns log |det df/dy| as Stan defines it. */
  double constrain(double[] y, int j, double[] x, int i, int stride);

  /**
   * Adds to {@code yGradient} that of L(f(y)) + log |det df/dy|.
   *
   * @param x f(y), as {@link #constrain} wrote it
   * @param xGradient dL/dx, laid out as x
   */
  void pullBack(
      double[] y, int j, double[] x, int i, int stride, double[] xGradient, double[] yGradient);

  /** Writes the y whose f(y) is x, which must not violate the constraint. */
  void unconstrain(double[] x, int i, int stride, double[] y, int j);

  /** What was expected of x and what came, or null if nothing is wrong. */
  @Nullable String violation(double[] x, int i, int stride);

  /** The type as Stan writes it, such as {@code simplex[3]}; of a scalar only the bounds. */
  String stan();
}
