package cifvi.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/**
 * The MADE of a neural spline flow: masked linear, residual blocks h + L₁ relu(L₀ relu(h)), masked
 * linear.
 *
 * <p>Outputs of feature i are contiguous and strictly autoregressive; the second linear map of a
 * block starts uniform on ±10⁻³, so that a block starts close to the identity.
 */
public final class ResidualMade implements AutoregressiveNet {
  private static final double SECOND_LINEAR_BOUND = 1e-3;

  /** One residual block. */
  public record Block(Linear linear0, Linear linear1) {
    Tensor apply(Tensor h) {
      return h.add(linear1.apply(linear0.apply(h.relu()).relu()));
    }
  }

  private final int features;
  private final Conditioner conditioner;
  private final int outputs;
  private final Linear first;
  private final List<Block> blocks;
  private final Linear last;

  /** {@code outputs} is the number of outputs a feature. */
  public ResidualMade(
      Parameters parameters, int features, int hidden, int blockCount, int outputs) {
    this(parameters, features, Conditioner.AUTOREGRESSIVE, hidden, blockCount, outputs);
  }

  /** {@code outputs} is the number of outputs a feature. */
  public ResidualMade(
      Parameters parameters,
      int features,
      Conditioner conditioner,
      int hidden,
      int blockCount,
      int outputs) {
    this.features = features;
    this.conditioner = conditioner;
    this.outputs = outputs;
    var backend = parameters.backend();
    int[] degrees = conditioner.degrees(features);
    int[] inner = Degrees.hidden(degrees, hidden);
    int[] out = IntStream.range(0, features * outputs).map(j -> degrees[j / outputs]).toArray();
    Tensor square = Degrees.mask(backend, inner, inner, 0);
    first = Linear.masked(parameters.in("initial"), Degrees.mask(backend, inner, degrees, 0));
    var list = new ArrayList<Block>();
    for (int b = 0; b < blockCount; b++) {
      var block = parameters.in("blocks").in(Integer.toString(b));
      list.add(
          new Block(
              Linear.masked(block.in("linear0"), square),
              Linear.masked(block.in("linear1"), square, SECOND_LINEAR_BOUND)));
    }
    blocks = List.copyOf(list);
    last = Linear.masked(parameters.in("final"), Degrees.mask(backend, out, inner, 1));
  }

  public Linear first() {
    return first;
  }

  public List<Block> blocks() {
    return blocks;
  }

  public Linear last() {
    return last;
  }

  @Override
  public int features() {
    return features;
  }

  @Override
  public Tensor apply(Tensor w) {
    return last.apply(hidden(w)).view(-1, features, outputs);
  }

  @Override
  public Conditioner conditioner() {
    return conditioner;
  }

  @Override
  public Tensor apply(Tensor w, int from, int to) {
    long count = (long) to - from;
    return last.applyRows(hidden(w), (long) from * outputs, count * outputs)
        .view(-1, count, outputs);
  }

  private Tensor hidden(Tensor w) {
    Tensor h = first.apply(w);
    for (Block block : blocks) {
      h = block.apply(h);
    }
    return h;
  }
}
