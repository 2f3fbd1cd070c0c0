/**
 * A plan as a table of operations that the kernels of a device walk through: compiled on the host,
 * without a device.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.graph.program;
