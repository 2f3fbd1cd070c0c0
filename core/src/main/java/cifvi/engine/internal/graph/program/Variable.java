package cifvi.engine.internal.graph.program;

/**
 * A variable of a program, {@code [rows, size]}.
 *
 * @param number in the order in which variables are made
 * @param place number of the variable whose region on the tape it shares: its own, or that of the
 *     one it is in an earlier stage. Gradients have regions of their own
 */
public record Variable(int number, int size, int place) {}
