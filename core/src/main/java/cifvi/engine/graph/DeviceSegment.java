package cifvi.engine.graph;

import cifvi.engine.plan.Piece;
import java.util.List;

/**
 * A {@link Piece} of libtorch, from one variable of the tape to others, which lie side by side in
 * what it gives.
 */
record DeviceSegment(Piece piece, Variable in, List<Variable> out) {
  /** Of what it gives. */
  int columns() {
    return out.stream().mapToInt(Variable::size).sum();
  }
}
