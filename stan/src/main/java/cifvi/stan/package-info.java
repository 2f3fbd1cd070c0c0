/**
 * log p(z | data) and its gradient from a library that BridgeStan compiled of a Stan model: a
 * {@link cifvi.stan.StanModel} is a {@link cifvi.LogDensity}; {@link cifvi.stan.StanCompiler}
 * compiles.
 */
@NullMarked
package cifvi.stan;

import org.jspecify.annotations.NullMarked;
