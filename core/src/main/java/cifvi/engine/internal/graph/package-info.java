/**
 * CUDA: the whole training step captured once as a CUDA graph and replayed, with noise, clipping
 * and Adam on the device. Native libraries are reached through {@code java.lang.foreign} alone, and
 * none is opened before a CUDA device is used.
 *
 * <p>{@link cifvi.engine.internal.graph.program.DeviceCompiler} turns a model into a table of
 * operations that a few hand-written kernels walk through ({@link
 * cifvi.engine.internal.graph.DevicePass}); the eager code of a layer is the specification of its
 * operations. A model that has a layer without any is captured as libtorch runs it.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.graph;
