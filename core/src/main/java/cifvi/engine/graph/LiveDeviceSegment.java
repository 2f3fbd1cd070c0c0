package cifvi.engine.graph;

import cifvi.distribution.Observation;
import cifvi.tensor.Shapes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A {@link DeviceSegment} between its way there and its way back: the graph of libtorch from the
 * leaves, which are views of the tape, to its output.
 */
record LiveDeviceSegment(DeviceSegment segment, Map<Variable, Tensor> leaves, Tensor out) {
  /**
   * Runs segments that do not depend on each other on what the tape holds, and writes what they
   * give to it. Those that look at one variable share its leaf.
   */
  static List<LiveDeviceSegment> run(
      List<DeviceSegment> segments, TapeView tape, Observation x, boolean learn) {
    Map<Variable, Tensor> leaves = new LinkedHashMap<>();
    List<LiveDeviceSegment> live = new ArrayList<>();
    for (DeviceSegment segment : segments) {
      List<Tensor> in = new ArrayList<>();
      for (Variable v : segment.in()) {
        in.add(leaves.computeIfAbsent(v, _ -> tape.value(v).set_requires_grad(learn)));
      }
      Tensor out = segment.function().apply(in, x);
      Shapes.require(segment.what(), out, tape.rows(), segment.out().size());
      tape.value(segment.out()).copy_(out.detach());
      live.add(new LiveDeviceSegment(segment, leaves, out));
    }
    return live;
  }

  /**
   * Goes back through them: gradients of parameters are added to the model's own buffer, those of
   * the leaves are left on the tape.
   */
  static void backward(List<LiveDeviceSegment> segments, TapeView tape) {
    var outputs = new TensorVector();
    var gradients = new TensorVector();
    for (LiveDeviceSegment live : segments) {
      outputs.push_back(live.out);
      gradients.push_back(tape.gradient(live.segment.out()));
    }
    if (segments.isEmpty()) {
      return;
    }
    torch.backward(outputs, gradients, new BoolOptional(), false, new TensorVector());
    segments.getFirst().leaves.forEach((v, leaf) -> tape.gradient(v).copy_(leaf.grad()));
  }
}
