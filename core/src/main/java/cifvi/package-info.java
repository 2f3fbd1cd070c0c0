/**
 * The front door: {@link cifvi.Cifvi} fits a {@link cifvi.LogDensity}, and gives a {@link
 * cifvi.FittedPosterior} with {@link cifvi.Draws}.
 */
@NullMarked
package cifvi;

import org.jspecify.annotations.NullMarked;
