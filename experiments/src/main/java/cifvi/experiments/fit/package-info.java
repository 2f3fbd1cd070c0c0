/**
 * What {@code fit} can be asked to approximate: densities known by name ({@link
 * cifvi.experiments.fit.Targets}), with the answers that a fit should find, and {@link
 * cifvi.experiments.fit.Regression regressions} of CSV files, and {@link
 * cifvi.experiments.fit.OwnDensity classes} of other people.
 *
 * <p>All in float64, in plain arrays, for any number of threads.
 */
@NullMarked
package cifvi.experiments.fit;

import org.jspecify.annotations.NullMarked;
