package cifvi.parameter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * x = f(y) with log|det Df(y)|, from R^d to the values that the model sees: all parameters of a
 * model in their order.
 *
 * <ul>
 *   <li>y, {@link #unconstrainedSize} numbers: parameter after parameter, the elements of an array
 *       last index fastest, matrices column by column but triangular ones row by row, as Stan
 *       reads;
 *   <li>x, {@link #constrainedSize} numbers: parameter after parameter, first index fastest, zeros
 *       of triangular matrices included, as Stan writes them; {@link #names} are the columns.
 * </ul>
 *
 * <p>Immutable, for any number of threads; {@link #constrain}, {@link #addGradient} and {@link
 * #unconstrain} make no objects. x, the log-Jacobian and the derivatives of both are finite for all
 * |y| up to 700; above 709.78, e^y is infinite. Below -708.4 it stays on the smallest normal
 * double, and derivatives are those of that value. A y that is NaN gives NaN.
 */
public final class ParameterSpace implements Outputs {
  private final SequencedMap<String, Block> blocks = new LinkedHashMap<>();
  private final Block[] order;
  private final int unconstrainedSize;
  private final int constrainedSize;

  private ParameterSpace(List<Parameter> parameters) {
    long from = 0;
    long at = 0;
    for (Parameter parameter : parameters) {
      var block = new Block(parameter, (int) from, (int) at);
      if (blocks.put(parameter.name(), block) != null) {
        throw new IllegalArgumentException(
            "two parameters are named " + parameter.name() + "; rename one of them");
      }
      from += block.unconstrainedSize();
      at += block.constrainedSize();
      if (Math.max(from, at) > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "%s: more than %d numbers with the parameters before it; make it smaller"
                .formatted(parameter, Integer.MAX_VALUE));
      }
    }
    order = blocks.values().toArray(Block[]::new);
    unconstrainedSize = (int) from;
    constrainedSize = (int) at;
  }

  public static ParameterSpace of(Parameter... parameters) {
    return new ParameterSpace(List.of(parameters));
  }

  public static ParameterSpace of(List<Parameter> parameters) {
    return new ParameterSpace(parameters);
  }

  public List<Parameter> parameters() {
    return blocks.values().stream().map(Block::parameter).toList();
  }

  /** The dimension d of y. */
  public int unconstrainedSize() {
    return unconstrainedSize;
  }

  /** How many numbers x has. */
  public int constrainedSize() {
    return constrainedSize;
  }

  /**
   * A name for every number of x, as the columns of Stan's CSV files: {@code tau}, {@code L.2.1}.
   */
  @Override
  public List<String> names() {
    var names = new ArrayList<String>(constrainedSize);
    for (Block block : order) {
      names.addAll(Names.columns(block.parameter().name(), block.parameter().dimensions()));
    }
    return List.copyOf(names);
  }

  /** All of them. */
  @Override
  public List<String> parameterNames() {
    return names();
  }

  /**
   * Writes x = f(y).
   *
   * @return log |det df/dy| as Stan defines it, so that log p(x) + this is the log-density of y; of
   *     a unit vector -|y|^2 / 2
   * @throws ArithmeticException where all numbers of a unit vector are 0
   */
  public double constrain(double[] y, double[] x) {
    require("y", y, unconstrainedSize);
    require("x", x, constrainedSize);
    double logJacobian = 0;
    for (Block block : order) {
      logJacobian += block.constrain(y, x);
    }
    return logJacobian;
  }

  @Override
  public ParameterSpace space() {
    return this;
  }

  /** {@link #constrain}, whatever the seed. */
  @Override
  public @Nullable String write(double[] y, double[] x, long seed) {
    constrain(y, x);
    return null;
  }

  /**
   * Adds to {@code yGradient} that of log p(f(y)) + log |det df/dy|.
   *
   * @param x f(y), as {@link #constrain} wrote it
   * @param xGradient d log p / dx
   */
  public void addGradient(double[] y, double[] x, double[] xGradient, double[] yGradient) {
    require("y", y, unconstrainedSize);
    require("x", x, constrainedSize);
    require("xGradient", xGradient, constrainedSize);
    require("yGradient", yGradient, unconstrainedSize);
    for (Block block : order) {
      block.pullBack(y, x, xGradient, yGradient);
    }
  }

  /**
   * Writes the y with f(y) = x, of a unit vector that of length 1.
   *
   * @throws IllegalArgumentException if x violates a constraint, with the name of the parameter,
   *     what was expected and what came; y is unchanged then
   */
  @Override
  public void unconstrain(double[] x, double[] y) {
    require("x", x, constrainedSize);
    require("y", y, unconstrainedSize);
    for (Block block : order) {
      block.requireAllowed(x);
    }
    for (Block block : order) {
      block.unconstrain(x, y);
    }
  }

  /** The numbers of {@code x}, or of a gradient laid out as x, by the names of the parameters. */
  public Values values(double[] x) {
    require("x", x, constrainedSize);
    return new Values(blocks, x);
  }

  private static void require(String name, double[] numbers, int size) {
    if (numbers.length != size) {
      throw new IllegalArgumentException(
          name + ": expected " + size + " numbers, got " + numbers.length);
    }
  }
}
