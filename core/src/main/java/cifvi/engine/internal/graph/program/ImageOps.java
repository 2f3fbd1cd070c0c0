package cifvi.engine.internal.graph.program;

import cifvi.nn.ConvEncoder;
import cifvi.nn.FlatParameters;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Images;
import cifvi.nn.SmallDecoder;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** Networks of images as operations. */
record ImageOps(FlatParameters flat, OpLayout layout, LinearOps linear) {
  /** Pixels of an image with its border of zeros. */
  private static final int FRAMED =
      (Images.SIDE + 2 * Images.PADDING) * (Images.SIDE + 2 * Images.PADDING);

  /** An encoder of the observed image. */
  Variable encoded(ConvEncoder encoder) {
    return encoder(encoder, List.of(observed()));
  }

  /** A network of w, which it makes an image of, and of the observed image. */
  Variable joined(ImageVectorNet network, Variable w) {
    Variable small = linear.linear(network.fcLatent(), w, null, 0);
    Variable upsampled = layout.variable(FRAMED);
    layout.add(Op.of(OpKind.UPSAMPLE, List.of(small), List.of(upsampled)));
    return encoder(network.convnet(), List.of(upsampled, observed()));
  }

  /** The logits of a decoder of z, with the border of an image. */
  Variable decoded(SmallDecoder decoder, Variable z) {
    Variable hidden = linear.linear(decoder.fc(), z, null, LinearOps.TANH);
    Variable logits = layout.variable(FRAMED);
    add(OpKind.TRANSPOSED, decoder.weight(), decoder.bias(), List.of(hidden), logits);
    return logits;
  }

  private Variable observed() {
    Variable observed = layout.variable(FRAMED);
    layout.add(Op.of(OpKind.OBSERVE, List.of(), List.of(observed)));
    return observed;
  }

  private Variable encoder(ConvEncoder encoder, List<Variable> images) {
    int channels = Math.toIntExact(encoder.weight().size(0));
    Variable hidden = layout.variable(channels * Images.HALF * Images.HALF);
    add(OpKind.CONVOLUTION, encoder.weight(), encoder.bias(), images, hidden);
    return linear.linear(encoder.fc(), hidden, null, 0);
  }

  /** A convolution with weights {@code [channels, …]}, plain or transposed. */
  private void add(OpKind kind, Tensor weight, Tensor bias, List<Variable> in, Variable out) {
    int taps = Math.toIntExact(weight.numel());
    int biases = Math.toIntExact(bias.numel());
    int weightAt = Math.toIntExact(flat.offset(weight));
    int biasAt = Math.toIntExact(flat.offset(bias));
    int channels = Math.toIntExact(weight.size(0));
    Variable gradient = layout.gradientRows(taps + biases);
    layout.add(Op.of(kind, in, List.of(out), weightAt, biasAt, channels, gradient.number()));
    layout.train(WeightMap.bias(gradient, 0, taps, weightAt));
    layout.train(WeightMap.bias(gradient, taps, biases, biasAt));
  }
}
