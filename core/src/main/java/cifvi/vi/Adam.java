package cifvi.vi;

import cifvi.nn.FlatParameters;
import cifvi.nn.FlatParameters.Slice;
import cifvi.tensor.Backend;
import cifvi.tensor.Scalars;
import cifvi.tensor.Scope;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.IntPredicate;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Adam (Kingma &amp; Ba, 2015) with β = (0.9, 0.999), ε = 10⁻⁸ on the flat vectors of a model.
 *
 * <p>As in PyTorch, the clock of the bias corrections is one for each tensor and starts with its
 * first gradient: the network of a spline that no input has reached yet (σ₀ = 10) has none. Usually
 * all start together, and the corrections are two numbers.
 */
public final class Adam implements Optimiser, AutoCloseable {
  public static final double BETA1 = 0.9;
  public static final double BETA2 = 0.999;
  public static final double EPSILON = 1e-8;

  private static final long NOT_STARTED = -1;

  private final Backend backend;
  private final FlatParameters flat;
  private final List<Slice> slices;
  private final Tensor m;
  private final Tensor v;
  private final long[] start;
  private long updates;

  public Adam(Backend backend, FlatParameters flat) {
    this.backend = backend;
    this.flat = flat;
    slices = List.copyOf(flat.slices().values());
    m = Scope.keep(backend.zeros(flat.size()));
    v = Scope.keep(backend.zeros(flat.size()));
    start = new long[slices.size()];
    Arrays.fill(start, NOT_STARTED);
  }

  /** Moves the parameters against the gradient. */
  public void step(double learningRate) {
    count(i -> slices.get(i).of(flat.gradient()).any().item_bool());
    flat.update(
        () -> {
          Tensor g = flat.gradient();
          m.mul_(Scalars.of(BETA1)).add_(g, Scalars.of(1 - BETA1));
          v.mul_(Scalars.of(BETA2)).addcmul_(g, g, Scalars.of(1 - BETA2));
          if (Arrays.stream(start).allMatch(s -> s == start[0])) {
            move(learningRate);
          } else {
            moveEach(learningRate);
          }
        });
  }

  /**
   * Counts an update, which an engine may make by its own means, and starts the clocks of the
   * tensors that have a gradient for the first time.
   *
   * @param hasGradient by the tensor's number in the order of registration
   */
  public void count(IntPredicate hasGradient) {
    for (int i = 0; i < start.length; i++) {
      if (start[i] == NOT_STARTED && hasGradient.test(i)) {
        start[i] = updates;
      }
    }
    updates++;
  }

  /** 1 - β^t of the tensor with this number, t being the updates since its clock started. */
  public double correction(double beta, int tensor) {
    return correction(beta, start[tensor]);
  }

  private void move(double learningRate) {
    double root2 = Math.sqrt(correction(BETA2, start[0]));
    Tensor root = v.sqrt().div_(new Scalar(root2)).add_(Scalars.of(EPSILON));
    flat.values().addcdiv_(m, root, new Scalar(-learningRate / correction(BETA1, start[0])));
  }

  private void moveEach(double learningRate) {
    Tensor root =
        v.sqrt().div_(spread(s -> Math.sqrt(correction(BETA2, s)))).add_(Scalars.of(EPSILON));
    flat.values()
        .addcdiv_(m.mul(spread(s -> learningRate / correction(BETA1, s))), root, Scalars.of(-1));
  }

  /**
   * 1 - β^t after t updates since the start; 1 for a tensor not started, whose moments are zero.
   */
  private double correction(double beta, long start) {
    return start == NOT_STARTED ? 1 : 1 - Math.pow(beta, (double) (updates - start));
  }

  private interface PerTensor {
    double value(long start);
  }

  /** A flat vector with one value for each tensor. */
  private Tensor spread(PerTensor perTensor) {
    double[] values = new double[Math.toIntExact(flat.size())];
    Arrays.fill(values, 1);
    for (int i = 0; i < start.length; i++) {
      int from = (int) slices.get(i).offset();
      Arrays.fill(values, from, from + (int) slices.get(i).count(), perTensor.value(start[i]));
    }
    return backend.tensor(values, values.length);
  }

  /** First moments, in the layout of the parameters. */
  public Tensor m() {
    return m;
  }

  /** Second moments, in the layout of the parameters. */
  public Tensor v() {
    return v;
  }

  @Override
  public SequencedMap<String, Tensor> moments() {
    var moments = new LinkedHashMap<String, Tensor>();
    moments.put("adam.m", m);
    moments.put("adam.v", v);
    return moments;
  }

  @Override
  public long updates() {
    return updates;
  }

  @Override
  public SequencedMap<String, Long> starts() {
    var starts = new LinkedHashMap<String, Long>();
    flat.slices().sequencedKeySet().forEach(name -> starts.put(name, start[starts.size()]));
    return starts;
  }

  @Override
  public void resume(long updates, SequencedMap<String, Long> starts) {
    if (!starts.sequencedKeySet().equals(flat.slices().sequencedKeySet())) {
      throw new IllegalArgumentException("starts: expected one for each tensor of the model");
    }
    this.updates = updates;
    int i = 0;
    for (long value : starts.values()) {
      start[i++] = value;
    }
  }

  @Override
  public void close() {
    Scope.release(m);
    Scope.release(v);
  }
}
