package cifvi.engine.internal.parity;

import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.Observation;
import cifvi.nn.ConvEncoder;
import cifvi.nn.Linear;
import cifvi.nn.Mlp;
import cifvi.nn.Network;
import cifvi.nn.ResidualMade;
import cifvi.tensor.Scalars;
import org.bytedeco.pytorch.Tensor;

/**
 * Networks whose layers hand each other moved numbers.
 *
 * <p>A unit close to zero is the difference of large terms and moves by as much as they do, so that
 * a ReLU may open that was shut. A tanh close to ±1 moves by as much as its distance from it, and
 * with it the derivative 1 - tanh², which kernels take from the rounded tanh.
 */
record RoundedNetworks(HalfUlps ulps) {
  Tensor apply(ConditionalNetwork network, Tensor w, Observation x) {
    return network instanceof ConditionalNetwork.Plain(var plain)
        ? apply(plain, w)
        : ulps.both(network.apply(w, x));
  }

  Tensor apply(Network network, Tensor x) {
    return switch (network) {
      case Mlp mlp -> apply(mlp, x);
      case ConvEncoder encoder -> {
        Tensor convolved = ulps.both(encoder.convolved(x));
        yield ulps.both(apply(encoder.fc(), convolved.flatten(1, -1)));
      }
      default -> ulps.both(network.apply(x));
    };
  }

  Tensor apply(Mlp mlp, Tensor x) {
    Tensor h = x;
    for (Linear linear : mlp.layers().subList(0, mlp.layers().size() - 1)) {
      h = tanh(apply(linear, h));
    }
    return ulps.both(apply(mlp.layers().getLast(), h));
  }

  /** All outputs, {@code [batch, outputs]}. */
  Tensor apply(ResidualMade made, Tensor w) {
    Tensor h = ulps.both(apply(made.first(), w));
    for (var block : made.blocks()) {
      Tensor inner = ulps.both(apply(block.linear0(), ulps.both(h.relu())).relu());
      h = ulps.both(h.add(apply(block.linear1(), inner)));
    }
    return ulps.both(apply(made.last(), h));
  }

  /** W x + b with every product moved. */
  private Tensor apply(Linear linear, Tensor x) {
    Tensor squares = x.detach().square().mm(linear.weight().detach().square().t());
    return ulps.shift(linear.apply(x), squares.add(linear.bias().detach().square()).sqrt());
  }

  private Tensor tanh(Tensor x) {
    Tensor moved = ulps.move(x.detach().tanh());
    Tensor slope = moved.square().neg().add(Scalars.of(1));
    return moved.add(ulps.move(x.sub(x.detach())).mul(slope));
  }
}
