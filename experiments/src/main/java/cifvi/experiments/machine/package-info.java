/** The machine and the build that a result was made with, and how much the machine can hold. */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.machine;
