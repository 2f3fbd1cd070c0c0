/**
 * What this machine has for the program, what of it will be used, and what helps where it lacks.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.doctor;
