/**
 * The floor everything stands on: loading libtorch, precision and device, native memory scopes,
 * shape checks, and noise that is a pure function of its address:
 *
 * <pre>
 *   ε(seed, purpose, step, layer, row)
 * </pre>
 *
 * <p>{@link cifvi.tensor.CounterRng} makes it. There is no tensor facade here: the library speaks
 * libtorch's own {@code Tensor}.
 */
@org.jspecify.annotations.NullMarked
package cifvi.tensor;
