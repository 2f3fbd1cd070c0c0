/**
 * Trainable functions y = f(x; θ): the {@link cifvi.nn.Parameters} θ, one flat vector under dotted
 * names, and the networks of the paper's appendix E, each with the initialisation of the released
 * code. {@link cifvi.nn.Network} is the interface.
 */
@org.jspecify.annotations.NullMarked
package cifvi.nn;
