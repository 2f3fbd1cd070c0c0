package cifvi.engine.internal.plan;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import cifvi.tensor.Shapes;
import java.util.List;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A piece of libtorch in a step of kernels, run on the whole batch.
 *
 * @param what it is, for the log
 */
public record Piece(String what, Function function) {
  /** From w {@code [batch, d]}, x and the noise of the pass to {@code [batch, columns]}. */
  public interface Function {
    Tensor apply(Tensor w, Observation x, Rng rng);
  }

  /**
   * A piece between its forward and its backward pass.
   *
   * @param leaf what it was given; its gradient is there after {@link #backward}
   * @param out what it gave, in the type of the leaf
   */
  public record Live(Tensor leaf, Tensor out) {}

  /** Runs the piece; {@code leaf} requires a gradient where a backward pass follows. */
  public Live forward(Tensor leaf, int columns, Observation x, Rng rng) {
    Tensor out = function.apply(leaf, x, rng).to(leaf.scalar_type());
    Shapes.require(what, out, leaf.size(0), columns);
    return new Live(leaf, out);
  }

  /**
   * Goes back through pieces that do not depend on each other, given the gradients of what they
   * gave: those of parameters are added to the model's own buffer, those of leaves to the leaves.
   */
  public static void backward(List<Live> pieces, List<Tensor> gradients) {
    var outputs = new TensorVector();
    var outputGradients = new TensorVector();
    for (int i = 0; i < pieces.size(); i++) {
      if (pieces.get(i).out.requires_grad()) {
        outputs.push_back(pieces.get(i).out);
        outputGradients.push_back(gradients.get(i));
      }
    }
    if (outputs.size() > 0) {
      torch.backward(outputs, outputGradients, new BoolOptional(), false, new TensorVector());
    }
  }
}
