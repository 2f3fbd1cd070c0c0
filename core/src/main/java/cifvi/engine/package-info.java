/**
 * The ways a training step can run:
 *
 * <pre>
 *   g = ∇_θ bound(θ; noise of the step),   θ ← Adam(θ, clip(g))
 * </pre>
 *
 * <p>All stand behind {@link cifvi.vi.StepEngine} and are checked against the eager one; {@link
 * cifvi.engine.Engines} chooses.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine;
