/**
 * Decoders by kernels, from z to log p(x, z): the small one, and the large one with its
 * convolutions and the residual blocks made of them.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.fused.decoder;
