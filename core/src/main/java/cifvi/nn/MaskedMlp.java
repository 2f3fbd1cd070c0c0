package cifvi.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The MADE of a masked affine flow: an {@link Mlp} with masks and two outputs a feature, mean μ and
 * log-scale α.
 *
 * <p>The last linear map gives all means first, then all log-scales; {@link #apply} returns them as
 * {@code [batch, features, 2]}.
 */
public final class MaskedMlp implements AutoregressiveNet {
  private final int features;
  private final Conditioner conditioner;
  private final Mlp mlp;

  public MaskedMlp(Parameters parameters, int features, int... hidden) {
    this(parameters, features, Conditioner.AUTOREGRESSIVE, hidden);
  }

  public MaskedMlp(Parameters parameters, int features, Conditioner conditioner, int... hidden) {
    this.features = features;
    this.conditioner = conditioner;
    var backend = parameters.backend();
    var linears = new ArrayList<Linear>();
    int[] degrees = conditioner.degrees(features);
    int[] in = degrees;
    for (int units : hidden) {
      int[] out = Degrees.hidden(degrees, units);
      linears.add(masked(parameters, linears.size(), Degrees.mask(backend, out, in, 0)));
      in = out;
    }
    int[] out = IntStream.range(0, 2 * features).map(j -> degrees[j % features]).toArray();
    linears.add(masked(parameters, linears.size(), Degrees.mask(backend, out, in, 1)));
    mlp = new Mlp(List.copyOf(linears));
  }

  private static Linear masked(Parameters parameters, int index, Tensor mask) {
    return Linear.masked(parameters.in(Integer.toString(index)), mask);
  }

  /** The network as it is: all means first, then all log-scales. */
  public Mlp mlp() {
    return mlp;
  }

  @Override
  public int features() {
    return features;
  }

  @Override
  public Tensor apply(Tensor w) {
    return mlp.apply(w).view(-1, 2, features).transpose(1, 2);
  }

  @Override
  public Conditioner conditioner() {
    return conditioner;
  }

  @Override
  public Tensor apply(Tensor w, int from, int to) {
    Tensor h = mlp.hidden(w);
    Linear last = mlp.layers().getLast();
    Tensor means = last.applyRows(h, from, (long) to - from);
    Tensor logScales = last.applyRows(h, (long) features + from, (long) to - from);
    return torch.stack(new TensorVector(means, logScales), -1);
  }
}
