package cifvi.nn;

import cifvi.tensor.Backend;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/**
 * The degrees that make a network autoregressive (Germain et al., <i>MADE</i>, 2015): a unit may
 * see only units of lower degree, or of equal degree inside the network. Sequential, not random, as
 * in the released code.
 */
final class Degrees {
  private Degrees() {}

  /**
   * Hidden unit j has degree j mod max(1, n - 1) + min(1, n - 1), n being the highest of inputs.
   */
  static int[] hidden(int[] inputs, int units) {
    int highest = inputs[inputs.length - 1];
    int period = Math.max(1, highest - 1);
    int first = Math.min(1, highest - 1);
    return IntStream.range(0, units).map(j -> j % period + first).toArray();
  }

  /**
   * The mask {@code [out, in]} with 1 where the degree of the output is at least that of the input
   * plus {@code gap}.
   */
  static Tensor mask(Backend backend, int[] out, int[] in, int gap) {
    double[] mask = new double[out.length * in.length];
    for (int o = 0; o < out.length; o++) {
      for (int i = 0; i < in.length; i++) {
        mask[o * in.length + i] = out[o] >= in[i] + gap ? 1 : 0;
      }
    }
    return backend.tensor(mask, out.length, in.length);
  }
}
