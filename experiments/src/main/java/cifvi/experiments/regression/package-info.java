/**
 * The posterior of a {@link cifvi.experiments.regression.Regression} of a column of a CSV file on
 * all others, in the units of the file.
 */
@NullMarked
package cifvi.experiments.regression;

import org.jspecify.annotations.NullMarked;
