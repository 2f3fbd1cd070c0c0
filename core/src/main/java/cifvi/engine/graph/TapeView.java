package cifvi.engine.graph;

import org.bytedeco.pytorch.Tensor;

/**
 * The tape of a program as libtorch sees it: every variable is a contiguous {@code [rows, size]}.
 */
record TapeView(Tensor tape, ProgramTable table, int rows) {
  Tensor value(Variable v) {
    return region(table.kept()[v.number()], v.size());
  }

  Tensor gradient(Variable v) {
    return region(table.gradientKept()[v.number()], v.size());
  }

  long address() {
    return tape.data_ptr().address();
  }

  /**
   * As a tensor of its own: kernels that change other parts of the tape are no concern of autograd.
   */
  private Tensor region(int column, int size) {
    return tape.narrow(0, (long) column * rows, (long) size * rows).view(rows, size).data();
  }
}
