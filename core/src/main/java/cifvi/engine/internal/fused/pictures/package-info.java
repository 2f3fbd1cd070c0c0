/**
 * Pictures whose channels lie side by side, one row of a batch after the other: products of their
 * pixels with matrices, and Winograd's convolutions of them. A lane is a channel here.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.fused.pictures;
