/**
 * The CUDA kernels: their source, which is put together for a program, the device memory they
 * share, and one class for each that knows its arguments and the shape of its launch.
 */
@NullMarked
package cifvi.engine.internal.graph.kernel;

import org.jspecify.annotations.NullMarked;
