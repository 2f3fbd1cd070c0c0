package cifvi.engine.internal.fused;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.memory.Batch;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.plan.Piece;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** A {@link Segment} between its forward and its backward pass. */
record LiveSegment(Segment segment, Piece.Live piece) {
  /** Runs a segment on what the tapes hold, and writes what it gives to them. */
  static LiveSegment run(
      Segment segment, Batch batch, Backend backend, Observation x, Rng rng, boolean training) {
    Layout.Var in = segment.in();
    Tensor leaf = backend.zeros(batch.rows(), in.size());
    batch.read(tape -> tape.values, in.at(), leaf);
    leaf.set_requires_grad(training);
    Piece.Live live = segment.piece().forward(leaf, segment.out().size(), x, rng);
    batch.write(live.out().detach().contiguous(), tape -> tape.values, segment.out().at());
    return new LiveSegment(segment, live);
  }

  /** Goes back through segments that do not depend on each other, from tapes to tapes. */
  static void backward(List<LiveSegment> segments, Batch batch, Backend backend) {
    List<Tensor> gradients = new ArrayList<>();
    for (LiveSegment live : segments) {
      Layout.Var out = live.segment.out();
      Tensor gradient = backend.zeros(batch.rows(), out.size());
      batch.read(tape -> tape.gradients, out.gradient(), gradient);
      gradients.add(gradient);
    }
    Piece.backward(segments.stream().map(LiveSegment::piece).toList(), gradients);
    for (LiveSegment live : segments) {
      Tensor gradient = live.piece.leaf().grad();
      if (gradient.defined()) {
        int at = live.segment.in().gradient();
        batch.add(gradient.contiguous(), tape -> tape.gradients, at);
      }
    }
  }
}
