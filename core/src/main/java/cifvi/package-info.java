/**
 * The front door: from the logarithm of a density p on R^d, which need not be normalised, to draws
 * of its approximation q.
 *
 * <pre>
 *   maximise  E[log p(z) + log r(u|z) - log q(z, u)]  over q and r            (eq. 2)
 *          =  log ∫ p - KL(q(z) || p / ∫ p) - E[KL(q(u|z) || r(u|z))]         (eqs. 1 and 3)
 * </pre>
 *
 * <p>{@link cifvi.Cifvi} fits a {@link cifvi.LogDensity}, with what a {@link cifvi.Fit} is told,
 * and gives a {@link cifvi.FittedPosterior} with {@link cifvi.Draws} and a {@link cifvi.Report}.
 * Equation numbers, here and everywhere, are those of Caterini, Cornish, Sejdinovic and Doucet,
 * <i>Variational Inference with Continuously-Indexed Normalizing Flows</i>, UAI 2021.
 */
@org.jspecify.annotations.NullMarked
package cifvi;
