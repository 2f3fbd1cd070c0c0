package cifvi.engine.fused;

import cifvi.distribution.Observation;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import cifvi.tensor.Shapes;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A {@link Segment} between its way there and its way back: the graph of libtorch from the leaves,
 * which hold what the kernels gave, to its output.
 */
record LiveSegment(Segment segment, List<Tensor> leaves, Tensor out) {
  /** Runs a segment on what the tapes hold, and writes what it gives to them. */
  static LiveSegment run(
      Segment segment, Batch batch, Backend backend, Observation x, Rng rng, boolean learn) {
    List<Tensor> leaves = new ArrayList<>();
    for (Layout.Var in : segment.in()) {
      Tensor leaf = backend.zeros(batch.rows(), in.size());
      batch.read(tape -> tape.values, in.at(), in.size(), leaf);
      leaves.add(learn ? leaf.set_requires_grad(true) : leaf);
    }
    Tensor out = segment.function().apply(leaves, x, rng).to(backend.precision().scalarType());
    Shapes.require(segment.what(), out, batch.rows(), segment.out().size());
    batch.write(out.detach().contiguous(), tape -> tape.values, segment.out().at());
    return new LiveSegment(segment, leaves, out);
  }

  /**
   * Goes back through segments that do not depend on each other: gradients of parameters are added
   * to the model's own buffer, those of the leaves to the tapes.
   */
  static void backward(List<LiveSegment> segments, Batch batch, Backend backend) {
    var outputs = new TensorVector();
    var gradients = new TensorVector();
    for (LiveSegment live : segments) {
      if (live.out.requires_grad()) {
        Layout.Var out = live.segment.out();
        Tensor gradient = backend.zeros(batch.rows(), out.size());
        batch.read(tape -> tape.gradients, out.gradient(), out.size(), gradient);
        outputs.push_back(live.out);
        gradients.push_back(gradient);
      }
    }
    torch.backward(outputs, gradients, new BoolOptional(), false, new TensorVector());
    segments.forEach(live -> live.leafGradients(batch));
  }

  private void leafGradients(Batch batch) {
    for (int i = 0; i < leaves.size(); i++) {
      Tensor gradient = leaves.get(i).grad();
      if (gradient.defined()) {
        batch.add(gradient.contiguous(), tape -> tape.gradients, segment.in().get(i).gradient());
      }
    }
  }
}
