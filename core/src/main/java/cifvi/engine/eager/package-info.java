/**
 * The oracle: ∇_θ of the bound by libtorch's autograd, one operation after the other, for any model
 * in any precision.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.eager;
