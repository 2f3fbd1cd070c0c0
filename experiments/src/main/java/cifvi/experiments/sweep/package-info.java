/**
 * Many runs from one file: the grid it spells out, the cells on disk, the list of jobs that works
 * through them and survives being killed, and the table of results.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.sweep;
