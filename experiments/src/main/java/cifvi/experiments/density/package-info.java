/**
 * Runs of density estimation (paper section 3.3): a table or a built-in set of points in the plane,
 * divided into rows to train, validate and test with; {@link
 * cifvi.experiments.density.DensityExperiment} trains, and {@link
 * cifvi.experiments.density.DensityTable} compares flows and CIFs.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.density;
