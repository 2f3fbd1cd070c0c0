/**
 * Arithmetic on columns of floats that knows neither layers nor models: elementary functions,
 * products of matrices, the spline of one coordinate, the update of Adam.
 */
@NullMarked
package cifvi.engine.internal.fused.math;

import org.jspecify.annotations.NullMarked;
