/** The large decoder by kernels: its convolutions, and the residual blocks made of them. */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.fused.decoder;
