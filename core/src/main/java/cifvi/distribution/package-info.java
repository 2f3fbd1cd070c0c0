/**
 * Densities over batches of vectors, and the conditional ones a posterior is made of: the base
 * q(w₀|x), the index density q(u|w) and the auxiliary density r(u|z, x). A {@code Conditional} owns
 * networks; the {@code Distribution} it gives is a throw-away value.
 */
@org.jspecify.annotations.NullMarked
package cifvi.distribution;
