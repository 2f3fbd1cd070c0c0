/**
 * Files as runs and sweeps have them: JSON, YAML and CSV that are there as a whole or not at all,
 * and the lock of a folder. What is wrong with one is said in a line that names it.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.files;
