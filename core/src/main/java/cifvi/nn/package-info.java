/**
 * Trainable functions: the {@link cifvi.nn.Parameters} tree and the networks of the paper's
 * appendix E, each with the initialisation of the released code.
 */
@org.jspecify.annotations.NullMarked
package cifvi.nn;
