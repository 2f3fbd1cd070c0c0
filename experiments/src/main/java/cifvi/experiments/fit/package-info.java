/**
 * Runs that fit a posterior of one's own ({@link cifvi.experiments.fit.FitExperiment}): a density
 * known by name, a regression of a table, or a {@link cifvi.experiments.fit.OwnDensity class} of
 * somebody's.
 */
@NullMarked
package cifvi.experiments.fit;

import org.jspecify.annotations.NullMarked;
