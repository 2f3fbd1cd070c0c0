/**
 * Density estimation (section 3.3, appendix D): the layers of a posterior run the other way, from a
 * row of data to noise.
 *
 * <pre>
 *   z ~ N(0, I),  u_l ~ r(u_l|w_l),  x = G⁻¹(z; u)                      the model r_X
 *   log r_X(x) ≥ E[log r_Z(z) + Σ_l log r(u_l|w_l) - log q(u_l|w_{l-1}) + log|det DG_l|]   (eq. 18)
 * </pre>
 *
 * <p>{@link cifvi.density.DensityFit} is what {@code Cifvi.estimating} gives: told about data and
 * settings, it trains, and gives a {@link cifvi.density.FittedDensity}.
 */
@org.jspecify.annotations.NullMarked
package cifvi.density;
