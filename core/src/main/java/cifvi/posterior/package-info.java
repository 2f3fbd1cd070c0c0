/**
 * The approximate posterior: a base draw followed by layers, each of which maps w to the next w and
 * adds one number to the log-weight (Algorithm 1). {@link cifvi.posterior.CifLayer} is the paper's
 * layer, {@link cifvi.posterior.FlowLayer} the special case of a plain bijection.
 */
@org.jspecify.annotations.NullMarked
package cifvi.posterior;
