package cifvi.engine.internal.graph.program;

import cifvi.nn.Conv;
import cifvi.nn.FlatParameters;
import java.util.List;
import java.util.Set;

/**
 * A convolution whose weights are trained, as {@code convolution_weights.cu} sees it: the gradient
 * is a sum of products of P, which is x for a transposed convolution and else dy, and Q, the other.
 *
 * @param side of images of P
 * @param sideQ of images of Q
 * @param taps the side of its window
 * @param channelsP first axis of the weight
 * @param channelsQ second axis of the weight
 * @param weight offset of the weight in the flat parameters
 * @param bias offset of the bias
 * @param transposed whether Q is dy, and has the bias
 * @param relu whether the relu of Q is what it saw
 */
public record Convolution(
    int side,
    int sideQ,
    int taps,
    int channelsP,
    int channelsQ,
    int weight,
    int bias,
    boolean transposed,
    boolean relu) {
  /** Sides of P and Q, and taps, that the kernel has code for: those of the large decoder. */
  private static final Set<List<Integer>> SIZES =
      Set.of(
          List.of(4, 4, 3),
          List.of(4, 7, 3),
          List.of(7, 7, 3),
          List.of(7, 14, 3),
          List.of(14, 14, 3),
          List.of(14, 28, 3),
          List.of(28, 28, 1));

  public Convolution {
    var size = List.of(side, sideQ, taps);
    if (!SIZES.contains(size)) {
      throw new IllegalArgumentException(
          "convolution: expected sides and taps of the large decoder, got " + size);
    }
  }

  /** Of images that have the side {@code in} before it, or of their relu. */
  public static Convolution of(Conv conv, int in, boolean relu, FlatParameters flat) {
    int out = conv.side(in);
    return new Convolution(
        conv.transposed() ? in : out,
        conv.transposed() ? out : in,
        conv.side(),
        Math.toIntExact(conv.weight().size(0)),
        Math.toIntExact(conv.weight().size(1)),
        Math.toIntExact(flat.offset(conv.weight())),
        Math.toIntExact(flat.offset(conv.bias())),
        conv.transposed(),
        relu);
  }

  /** Places of an image of P. */
  public int places() {
    return side * side;
  }

  public int placesQ() {
    return sideQ * sideQ;
  }

  /** Rows of Q that so many of P need with their border. */
  public int framed(int rows) {
    int stride = sideQ > side ? 2 : 1;
    return stride * (rows - 1) + taps;
  }
}
