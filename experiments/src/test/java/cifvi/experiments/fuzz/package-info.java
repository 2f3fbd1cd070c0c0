/**
 * Readers of files under bytes that nobody meant: kept inputs in every build, new ones with Jazzer.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.fuzz;
