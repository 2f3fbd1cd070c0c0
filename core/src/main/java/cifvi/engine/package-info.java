/**
 * The ways a training step can run, all behind {@link cifvi.vi.StepEngine} and all checked against
 * the eager one.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine;
