/**
 * What is approximated: log p(x, z), known up to a constant.
 *
 * <pre>
 *   {@link cifvi.target.MixtureTarget}        log Σ_k π_k N(z; μ_k, Σ_k)
 *   {@link cifvi.target.BernoulliImageModel}  log N(z; 0, I) + Σ_i log Bernoulli(x_i | logits = decoder(z)_i)
 * </pre>
 *
 * <p>Any {@link cifvi.target.Target} will do, a lambda of libtorch operations for instance; {@link
 * cifvi.target.HostTarget} takes one in plain numbers.
 */
@org.jspecify.annotations.NullMarked
package cifvi.target;
