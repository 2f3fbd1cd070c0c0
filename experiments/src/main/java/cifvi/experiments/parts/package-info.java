/**
 * Large evaluations cut into parts that several machines compute; the cut follows from the sizes
 * alone, so that the sum does not depend on who computed what.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.parts;
