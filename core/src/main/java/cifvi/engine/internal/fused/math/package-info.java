/**
 * Arithmetic on columns of floats that knows neither layers nor models: elementary functions,
 * products of matrices, the spline of one coordinate, the update of Adam.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.fused.math;
