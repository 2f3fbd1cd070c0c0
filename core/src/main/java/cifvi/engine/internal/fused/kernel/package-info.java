/**
 * One {@link cifvi.engine.internal.fused.kernel.Kernel} a layer or term of the plan: forward writes
 * what backward reads, and backward adds to the gradients of its inputs and parameters.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.fused.kernel;
