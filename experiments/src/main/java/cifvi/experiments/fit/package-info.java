/**
 * What {@code fit} can be asked to approximate: densities known by name ({@link
 * cifvi.experiments.fit.Targets}), with the answers that a fit should find.
 *
 * <p>All in float64, in plain arrays, for any number of threads.
 */
@NullMarked
package cifvi.experiments.fit;

import org.jspecify.annotations.NullMarked;
