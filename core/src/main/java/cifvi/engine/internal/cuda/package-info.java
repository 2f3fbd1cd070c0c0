/**
 * A CUDA device from Java, through {@code java.lang.foreign} alone: driver, run-time compiler,
 * graphs, streams of libtorch and the cache of compiled kernels. Nothing here knows of models.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.cuda;
