package cifvi.engine.internal.graph.program;

import cifvi.engine.internal.plan.Piece;
import java.util.List;

/**
 * A {@link Piece} of libtorch, from one variable of the tape to others, which lie side by side in
 * what it gives.
 */
public record DeviceSegment(Piece piece, Variable in, List<Variable> out) {
  /** Of what it gives. */
  public int columns() {
    return out.stream().mapToInt(Variable::size).sum();
  }
}
