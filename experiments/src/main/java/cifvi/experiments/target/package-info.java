/**
 * Densities known by name ({@link cifvi.experiments.target.Targets}), with the answers that a fit
 * should find: in float64, in plain arrays, for any number of threads.
 */
@NullMarked
package cifvi.experiments.target;

import org.jspecify.annotations.NullMarked;
