/**
 * The CUDA kernels: their source, which is put together for a program, the device memory they
 * share, and one class for each that knows its arguments and the shape of its launch.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.graph.kernel;
