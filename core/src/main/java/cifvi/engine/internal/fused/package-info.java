/**
 * The fused engine: a training step of known layers as hand-written forward and backward kernels
 * over flat, reused buffers. {@link cifvi.engine.internal.fused.Compiler} turns a model into a list
 * of {@link cifvi.engine.internal.fused.kernel.Kernel}s, one a file; the eager code of the layer is
 * the specification of its kernel. What has no kernel is a {@link
 * cifvi.engine.internal.fused.Segment} that libtorch runs.
 *
 * <p>Every class here may use {@code jdk.incubator.vector}; only {@link cifvi.engine.Engines},
 * which looks first whether that module is there, calls them.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.fused;
