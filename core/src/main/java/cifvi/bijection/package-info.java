/**
 * Invertible maps z = g(w) of R^d, of every row of a batch, with log|det Dg|, one a file.
 *
 * <pre>
 *   {@link cifvi.bijection.IndexedBijection}      G(w; u) = e^{s(u)} (g(w) + t(u))            (eq. 6)
 *   {@link cifvi.bijection.SplineAutoregressive}  z_i = RQS(w_i; net(w_{&lt;i}))
 *   {@link cifvi.bijection.AffineAutoregressive}  z_i = (w_i - μ(w_{&lt;i})) e^{-α(w_{&lt;i})}
 *   both with {@link cifvi.nn.Conditioner#COUPLING}: coupling layers
 *   {@link cifvi.bijection.LuLinear}              z = L U w + b
 *   {@link cifvi.bijection.SinhArcsinh}           z_i = sinh(δ_i arsinh(w_i) - ε_i)
 * </pre>
 *
 * <p>{@link cifvi.bijection.Chain} composes them. A bijection with a network inside owns no state
 * but its {@link cifvi.nn.Parameters}. One of your own implements {@link
 * cifvi.bijection.Bijection}.
 */
@org.jspecify.annotations.NullMarked
package cifvi.bijection;
