/**
 * CUDA: the whole training step captured once as a CUDA graph and replayed, with noise, clipping
 * and Adam on the device. Native libraries are reached through {@code java.lang.foreign} alone, and
 * none is opened before a CUDA device is used.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.graph;
