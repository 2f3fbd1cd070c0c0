/**
 * The mixture experiment of paper section 4.1: its spec, the run that trains and evaluates, and
 * what it found.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.mog;
