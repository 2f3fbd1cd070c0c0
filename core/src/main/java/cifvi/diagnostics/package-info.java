/**
 * Whether to believe a fit: what the exact weights p(z) r(u|z) / q(z, u) of its draws say about it.
 *
 * <p>{@link cifvi.diagnostics.Trust} is the report, with one {@link cifvi.diagnostics.Verdict};
 * {@link cifvi.diagnostics.ImportanceWeights} are what most of it is made of. Everything works on
 * plain numbers.
 */
@org.jspecify.annotations.NullMarked
package cifvi.diagnostics;
