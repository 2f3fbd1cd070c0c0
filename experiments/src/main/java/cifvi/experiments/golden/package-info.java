/**
 * Reference vectors: files of inputs, noise and parameters with every number the reference
 * implementation computed from them. {@link cifvi.experiments.golden.Verifier} rebuilds the model a
 * file describes and compares all of it.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.golden;
