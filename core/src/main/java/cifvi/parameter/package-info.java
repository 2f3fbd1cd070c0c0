/**
 * Named parameters with constraints: a one-to-one map x = f(y) from R^d to the values that a model
 * sees, under which
 *
 * <pre>
 *   log p(y) = log p(x) + log|det Df(y)|
 * </pre>
 *
 * <p>A {@link cifvi.parameter.Parameter} is declared as in Stan; a {@link
 * cifvi.parameter.ParameterSpace} is the list of all of them, and maps an unconstrained y to the
 * constrained x with the log-Jacobian. Transforms, their order in y, and names and order of the
 * columns of x are Stan's (Reference Manual, "Constraint Transforms", as of Stan 2.37), so that
 * results can be compared number by number. Plain arrays of doubles: nothing here needs libtorch.
 */
@org.jspecify.annotations.NullMarked
package cifvi.parameter;
