package cifvi.engine.graph;

import cifvi.nn.ConvEncoder;
import cifvi.nn.FlatParameters;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Images;
import java.util.List;

/** Networks of pictures as operations. */
final class PictureOps {
  /** Pixels of a picture with its border of zeros. */
  private static final int FRAMED =
      (Images.SIDE + 2 * Images.PADDING) * (Images.SIDE + 2 * Images.PADDING);

  private final FlatParameters flat;
  private final ProgramLayout layout;
  private final LinearOps linear;

  PictureOps(FlatParameters flat, ProgramLayout layout, LinearOps linear) {
    this.flat = flat;
    this.layout = layout;
    this.linear = linear;
  }

  /** An encoder of the observed picture. */
  Variable encoded(ConvEncoder encoder) {
    return encoder(encoder, List.of(observed()));
  }

  /** A network of w, from which it paints a picture, and of the observed picture. */
  Variable joined(ImageVectorNet network, Variable w) {
    Variable small = linear.linear(network.fcLatent(), w, null, 0);
    Variable painted = layout.variable(FRAMED);
    layout.add(Op.of(OpKind.PAINT, List.of(small), List.of(painted)));
    return encoder(network.convnet(), List.of(painted, observed()));
  }

  private Variable observed() {
    Variable observed = layout.variable(FRAMED);
    layout.add(Op.of(OpKind.OBSERVE, List.of(), List.of(observed)));
    return observed;
  }

  private Variable encoder(ConvEncoder encoder, List<Variable> pictures) {
    int channels = Math.toIntExact(encoder.weight().size(0));
    int taps = Math.toIntExact(encoder.weight().numel());
    int weight = Math.toIntExact(flat.offset(encoder.weight()));
    int bias = Math.toIntExact(flat.offset(encoder.bias()));
    Variable gradient = layout.gradientRows(taps + channels);
    Variable hidden = layout.variable(channels * Images.HALF * Images.HALF);
    layout.add(
        Op.of(
            OpKind.CONVOLUTION,
            pictures,
            List.of(hidden),
            weight,
            bias,
            channels,
            gradient.number()));
    layout.train(WeightMap.bias(gradient, 0, taps, weight));
    layout.train(WeightMap.bias(gradient, taps, channels, bias));
    return linear.linear(encoder.fc(), hidden, null, 0);
  }
}
