/**
 * Invertible maps of a batch of vectors with their log-determinants, one a file. A bijection with a
 * network inside owns no state but its {@link cifvi.nn.Parameters}; {@link
 * cifvi.bijection.IndexedBijection} is the paper's G(·; u).
 */
@org.jspecify.annotations.NullMarked
package cifvi.bijection;
