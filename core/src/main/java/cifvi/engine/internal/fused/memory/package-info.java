/**
 * Where the fused engine keeps what it computes: a {@link
 * cifvi.engine.internal.fused.memory.Layout} counts, while a model is compiled, what a {@link
 * cifvi.engine.internal.fused.memory.Tape} holds for a block of rows.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.fused.memory;
