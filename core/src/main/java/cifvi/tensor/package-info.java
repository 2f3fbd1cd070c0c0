/**
 * The floor everything stands on: loading libtorch, precision and device, counter-based noise,
 * native memory scopes and shape checks. There is no tensor facade here: the library speaks
 * libtorch's own {@code Tensor}.
 */
@org.jspecify.annotations.NullMarked
package cifvi.tensor;
