package cifvi.engine.internal.graph.program;

/**
 * Where all rows of a batch must have come before any goes on: something looks at all of them, in
 * the forward and in the backward pass.
 */
public sealed interface Barrier {
  /** The stage before which it looks at the rows. */
  int stage();

  /** The stage before which it looks at the gradients, all later stages having gone back. */
  int behind();

  /** A batch norm, which is a stage of its own: its rows go back when its sums are known. */
  record Norm(Program.Norm norm, int stage) implements Barrier {
    @Override
    public int behind() {
      return stage + 1;
    }
  }

  /** A segment, whose output the stage reads. */
  record Torch(Program.Segment segment, int stage) implements Barrier {
    @Override
    public int behind() {
      return stage;
    }
  }
}
