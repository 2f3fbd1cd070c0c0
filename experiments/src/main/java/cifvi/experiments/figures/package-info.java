/**
 * What the figures show, as plain numbers: densities on grids, draws with their way through the
 * layers, and training curves thin enough for a page. How they look is decided elsewhere.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.figures;
