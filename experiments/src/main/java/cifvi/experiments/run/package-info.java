/**
 * What all runs share: the run directory with its spec, metrics and results, checkpoints that
 * survive a crash at any moment, and the loop that trains between them.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.run;
