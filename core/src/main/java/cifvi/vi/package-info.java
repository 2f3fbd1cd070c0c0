/**
 * Variational inference proper: what is maximised, how, and how good the result is. With the
 * log-weight of a draw, log w = Δ + log p(x, z),
 *
 * <pre>
 *   {@link cifvi.vi.Objective.Elbo}    E[log w]                                              (eqs. 2, 9)
 *   {@link cifvi.vi.Objective.PathElbo} the same, its gradient without the score of q(z, u)
 *   {@link cifvi.vi.Objective.Iwae}    E[log 1/K Σ_k w_k]
 *   {@link cifvi.vi.Objective.Dreg}    the same, its gradient doubly reparametrised
 *   {@link cifvi.vi.Objective.Iwhvi}   E[log p(x, z) - log 1/(M+1) Σ_j q(z, u_j) / r(u_j|z)]
 *   {@link cifvi.vi.Objective.Auxiliary} E[log w], its gradient that of r alone
 *   {@link cifvi.vi.ForwardWeights}    log p(x) ≈ log 1/S Σ_s w_s                            (eqs. 20, 21)
 *   {@link cifvi.vi.MarginalElbo}      E[log p(x, z) - log q(z|x)], q(z|x) being estimated   (eqs. 1, 22)
 *   {@link cifvi.vi.BoundLadder}       the bounds between the auxiliary ELBO and eq. 22, on the same z
 * </pre>
 *
 * <p>A {@link cifvi.vi.Model} is a posterior with its target; a {@link cifvi.vi.Trainer} takes the
 * steps that a {@link cifvi.vi.StepEngine} runs.
 */
@org.jspecify.annotations.NullMarked
package cifvi.vi;
