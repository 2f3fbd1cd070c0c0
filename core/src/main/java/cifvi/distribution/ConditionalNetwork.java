package cifvi.distribution;

import cifvi.nn.ImageVectorNet;
import cifvi.nn.Network;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A network that turns w, and x where it looks at the data, into the numbers a density is made of.
 */
@FunctionalInterface
public interface ConditionalNetwork {
  Tensor apply(Tensor w, Observation x);

  /** A network of w alone. */
  record Plain(Network network) implements ConditionalNetwork {
    @Override
    public Tensor apply(Tensor w, Observation x) {
      return network.apply(w);
    }
  }

  /** A network of w alone. */
  static ConditionalNetwork of(Network network) {
    return new Plain(network);
  }

  /** A network of w and the columns of x that are given, w first. */
  record OfGiven(Network network, DataRows rows) implements ConditionalNetwork {
    @Override
    public Tensor apply(Tensor w, Observation x) {
      return network.apply(torch.cat(new TensorVector(w, rows.context(x)), 1));
    }
  }

  /** A network of w and the image x. */
  record OfImage(ImageVectorNet network) implements ConditionalNetwork {
    @Override
    public Tensor apply(Tensor w, Observation x) {
      return switch (x) {
        case Observation.Batch batch -> network.apply(w, batch.x());
        case Observation.None _ ->
            throw new IllegalArgumentException("x: expected a batch of images, got no observation");
      };
    }
  }

  /** A network of w and the image x. */
  static ConditionalNetwork of(ImageVectorNet network) {
    return new OfImage(network);
  }
}
