/**
 * The approximate posterior q(z|x), a base draw followed by layers (eq. 7):
 *
 * <pre>
 *   w₀ ~ q(w₀|x),   u_l ~ q(u_l|w_{l-1}),   w_l = G_l(w_{l-1}; u_l),   z = w_L
 *   Δ = -log q(w₀|x) + Σ_l log r(u_l|w_l, x) - log q(u_l|w_{l-1}) + log|det DG_l|     (eqs. 16, 17)
 * </pre>
 *
 * <p>E[Δ + log p(x, z)] is the bound. {@link cifvi.posterior.Posterior} draws z with its Δ
 * (Algorithm 1); each {@link cifvi.posterior.Layer} maps w to the next w and adds one number.
 * {@link cifvi.posterior.CifLayer} is the paper's layer, {@link cifvi.posterior.FlowLayer} the
 * special case of a plain bijection, without u.
 *
 * <p>The other families of section 3.2 are layers too: {@link cifvi.posterior.HierarchicalLayer},
 * {@link cifvi.posterior.SemiImplicitLayer}, {@link cifvi.posterior.HamiltonianLayer}.
 */
@org.jspecify.annotations.NullMarked
package cifvi.posterior;
