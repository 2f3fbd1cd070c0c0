/**
 * The fused engine: a training step of known layers as hand-written forward and backward kernels
 * over flat, reused buffers. {@link cifvi.engine.fused.Compiler} turns a model into a list of
 * {@link cifvi.engine.fused.Kernel}s, one a file; the eager code of the layer is the specification
 * of its kernel. What has no kernel is a {@link cifvi.engine.fused.Segment} that libtorch runs.
 *
 * <p>Every class here may use {@code jdk.incubator.vector}; only {@link cifvi.engine.Engines},
 * which looks first whether that module is there, calls them.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.fused;
