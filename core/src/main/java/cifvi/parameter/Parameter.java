package cifvi.parameter;

import java.util.ArrayList;
import java.util.List;

/**
 * A named unknown of a model with what its values must obey, declared as in Stan: {@code
 * Parameter.positive("tau")}, {@code Parameter.real("beta").matrix(3, 2)}, {@code
 * Parameter.simplex("pi", 4).array(8)}.
 *
 * <p>{@link #toString} is the declaration in Stan's language.
 */
public final class Parameter {
  private final String name;
  private final Constraint constraint;
  private final List<Integer> array;
  private final List<Integer> element;

  private Parameter(
      String name, Constraint constraint, List<Integer> array, List<Integer> element) {
    this.name = name;
    this.constraint = constraint;
    this.array = array;
    this.element = element;
    Sizes.require(toString(), dimensions());
  }

  /** The parameter that {@link #toString} gives this declaration for. */
  public static Parameter parse(String declaration) {
    return Declaration.parse(declaration);
  }

  private static Parameter of(String name, Constraint constraint) {
    return new Parameter(Names.require(name), constraint, List.of(), constraint.dimensions());
  }

  /** Any number. */
  public static Parameter real(String name) {
    return of(name, new Unbounded());
  }

  /** A number above 0: x = e^y. */
  public static Parameter positive(String name) {
    return lower(name, 0);
  }

  /** A number above {@code bound}: x = bound + e^y; any number where the bound is -infinity. */
  public static Parameter lower(String name, double bound) {
    return interval(name, bound, Double.POSITIVE_INFINITY);
  }

  /** A number below {@code bound}: x = bound - e^y; any number where the bound is infinity. */
  public static Parameter upper(String name, double bound) {
    return interval(name, Double.NEGATIVE_INFINITY, bound);
  }

  /** A number between two bounds: x = lower + (upper - lower) / (1 + e^-y). */
  public static Parameter interval(String name, double lower, double upper) {
    return of(name, Bounds.constraint(name, lower, upper));
  }

  /** {@code size} positive numbers with the sum 1, from size - 1 unconstrained ones. */
  public static Parameter simplex(String name, int size) {
    return of(name, new Simplex(Sizes.atLeastOne(name, size)));
  }

  /** {@code size} increasing numbers. */
  public static Parameter ordered(String name, int size) {
    return of(name, new Ordered(Sizes.atLeastOne(name, size), false));
  }

  /** {@code size} increasing numbers above 0. */
  public static Parameter positiveOrdered(String name, int size) {
    return of(name, new Ordered(Sizes.atLeastOne(name, size), true));
  }

  /**
   * A vector of length 1 and the dimension {@code size}, from as many unconstrained numbers, which
   * must not all be 0.
   */
  public static Parameter unitVector(String name, int size) {
    return of(name, new UnitVector(Sizes.atLeastOne(name, size)));
  }

  /** The Cholesky factor L, lower triangular, of a correlation matrix L L'. */
  public static Parameter correlationCholesky(String name, int size) {
    return of(name, new CorrelationCholesky(Sizes.atLeastOne(name, size)));
  }

  /** The Cholesky factor L, lower triangular, of a covariance matrix L L'. */
  public static Parameter covarianceCholesky(String name, int size) {
    return covarianceCholesky(name, size, size);
  }

  /** The Cholesky factor of a covariance matrix whose rank is {@code columns}. */
  public static Parameter covarianceCholesky(String name, int rows, int columns) {
    Sizes.atLeastOne(name, columns);
    if (rows < columns) {
      throw new IllegalArgumentException(
          "%s: expected at least as many rows as columns, got %d x %d"
              .formatted(name, rows, columns));
    }
    return of(name, new CovarianceCholesky(rows, columns));
  }

  /** A vector of {@code size} such numbers; only for scalars. */
  public Parameter vector(int size) {
    return repeated("vector", List.of(Sizes.atLeastOne(name, size)));
  }

  /** A matrix of such numbers; only for scalars. */
  public Parameter matrix(int rows, int columns) {
    return repeated(
        "matrix", List.of(Sizes.atLeastOne(name, rows), Sizes.atLeastOne(name, columns)));
  }

  private Parameter repeated(String form, List<Integer> dimensions) {
    if (!element.isEmpty() || !array.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: a %s is made of scalars, not of %s; say array(...) last, for arrays of anything"
              .formatted(name, form, this));
    }
    return new Parameter(name, constraint, array, dimensions);
  }

  /** An array of such parameters, with the indices of the array before their own. */
  public Parameter array(int... dimensions) {
    var all = new ArrayList<Integer>();
    for (int size : dimensions) {
      all.add(Sizes.atLeastOne(name, size));
    }
    all.addAll(array);
    return new Parameter(name, constraint, List.copyOf(all), element);
  }

  public String name() {
    return name;
  }

  /** The length of every index, those of the array first; none for a scalar. */
  public List<Integer> dimensions() {
    var all = new ArrayList<>(array);
    all.addAll(element);
    return List.copyOf(all);
  }

  Constraint constraint() {
    return constraint;
  }

  /** The dimensions of the array alone. */
  List<Integer> arrayDimensions() {
    return array;
  }

  /** How many of the constraint's values one element of the array has: many for scalars alone. */
  int repeats() {
    return (int) (Sizes.product(element) / Sizes.product(constraint.dimensions()));
  }

  /** The declaration in Stan's language, such as {@code array[8] vector<lower=0.0>[3] tau}. */
  @Override
  public String toString() {
    String prefix = array.isEmpty() ? "" : "array" + array + " ";
    return prefix + type() + " " + name;
  }

  private String type() {
    if (!(constraint instanceof ScalarConstraint)) {
      return constraint.stan();
    }
    String form = List.of("real", "vector", "matrix").get(element.size());
    return form + constraint.stan() + (element.isEmpty() ? "" : element);
  }
}
