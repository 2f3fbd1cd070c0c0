package cifvi.parameter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * x = h(z): the numbers that a draw z of R^d is shown by and that go to files. For most densities h
 * is the map of a {@link ParameterSpace}; a model may add what follows from its parameters, and
 * what is random given them.
 */
public interface Outputs {
  /** The arrays that x is made of, in the order of its numbers. */
  ParameterSpace space();

  /** A name for every number of x, as the columns of Stan's CSV files. */
  List<String> names();

  /**
   * Writes x = h(z).
   *
   * @param seed decides what is random in h: another one for every draw, the same for the same draw
   * @return why some numbers are missing, which are NaN then; null where none is
   */
  @Nullable String write(double[] z, double[] x, long seed);

  /**
   * Names of the numbers of x that z follows from by {@link #unconstrain}; none where it does not.
   */
  default List<String> parameterNames() {
    return List.of();
  }

  /**
   * Writes the z of parameters.
   *
   * @param parameters a number for every name of {@link #parameterNames}
   * @throws IllegalArgumentException where they are none that the parameters can have
   */
  default void unconstrain(double[] parameters, double[] z) {
    throw new UnsupportedOperationException(getClass().getName() + " cannot tell z from x");
  }
}
