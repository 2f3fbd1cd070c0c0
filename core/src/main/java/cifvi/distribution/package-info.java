/**
 * Densities over batches of vectors, and the conditional ones that a posterior is made of: the base
 * q(w₀|x), the index density q(u|w) and the auxiliary density r(u|z, x).
 *
 * <pre>
 *   {@link cifvi.distribution.DiagonalNormal}     N(v; μ, diag σ²)
 *   {@link cifvi.distribution.ConditionalNormal}  N(u; μ(w), diag σ(w)²), by a network of w
 *   {@link cifvi.distribution.ConditionalSpline}  the same with noise that a spline bends: a flow
 *   {@link cifvi.distribution.DataRows}           the observed row, as the base of a density model
 * </pre>
 *
 * <p>A {@link cifvi.distribution.Conditional} owns networks; the {@link
 * cifvi.distribution.Distribution} that it gives is a throw-away value. {@link
 * cifvi.distribution.Observation} is the x that is given: nothing, or a batch.
 */
@org.jspecify.annotations.NullMarked
package cifvi.distribution;
