package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.graph.kernel.TapeView;
import cifvi.engine.internal.graph.program.Program;
import cifvi.engine.internal.graph.program.Variable;
import cifvi.engine.internal.plan.Piece;
import cifvi.tensor.Rng;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * {@link Program.Segment}s that do not depend on each other, between their forward and their
 * backward pass.
 *
 * @param leaves views of the tape; those that look at one variable share its leaf
 */
record LiveDeviceSegments(
    List<Program.Segment> segments, Map<Variable, Tensor> leaves, List<Piece.Live> live) {
  /** Runs segments on what the tape holds, and writes what they give to it. */
  static LiveDeviceSegments run(
      List<Program.Segment> segments, TapeView tape, Observation x, Rng rng, boolean training) {
    Map<Variable, Tensor> leaves = new LinkedHashMap<>();
    List<Piece.Live> live = new ArrayList<>();
    for (Program.Segment segment : segments) {
      Tensor leaf =
          leaves.computeIfAbsent(segment.in(), in -> tape.value(in).set_requires_grad(training));
      Piece.Live piece = segment.piece().forward(leaf, segment.columns(), x, rng);
      long from = 0;
      for (Variable v : segment.out()) {
        tape.value(v).copy_(piece.out().detach().narrow(1, from, v.size()));
        from += v.size();
      }
      live.add(piece);
    }
    return new LiveDeviceSegments(segments, leaves, live);
  }

  /** Goes back through them, from the gradients on the tape to those of the leaves there. */
  void backward(TapeView tape) {
    Piece.backward(live, segments.stream().map(segment -> gradient(segment, tape)).toList());
    leaves.forEach((v, leaf) -> tape.gradient(v).copy_(leaf.grad()));
  }

  private static Tensor gradient(Program.Segment segment, TapeView tape) {
    var columns = new TensorVector();
    segment.out().forEach(v -> columns.push_back(tape.gradient(v)));
    return columns.size() == 1 ? columns.get(0) : torch.cat(columns, 1);
  }
}
