package cifvi.vi;

import cifvi.nn.FlatParameters;
import cifvi.tensor.Scope;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * An exponential moving average of the parameters, whose noise is smaller than that of the last
 * step: a ← d a + (1-d) θ, where d grows to {@value #DECAY} as min(DECAY, (1+t)/(10+t)) so that the
 * start is forgotten.
 */
public final class WeightAverage implements AutoCloseable {
  private static final double DECAY = 0.999;

  private final FlatParameters flat;
  private final Tensor average;

  public WeightAverage(FlatParameters flat) {
    this.flat = flat;
    average = Scope.keep(flat.values().detach().clone());
  }

  /** Takes in the parameters after step {@code step}, counted from 0. */
  public void add(long step) {
    double decay = Math.min(DECAY, (1.0 + step) / (10.0 + step));
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      average.mul_(new Scalar(decay)).add_(flat.values(), new Scalar(1 - decay));
    }
  }

  /** Begins again with the parameters as they are now. */
  public void restart() {
    try (var _ = new NoGradGuard()) {
      average.copy_(flat.values());
    }
  }

  /** The average, in the layout of the parameters. */
  public Tensor average() {
    return average;
  }

  /** Makes the average the parameters of the model. */
  public void apply() {
    flat.update(() -> flat.values().copy_(average));
  }

  /** Gives the model the average for as long as this takes, and its own parameters back. */
  public <T> T during(Supplier<T> work) {
    try (var _ = new PointerScope()) {
      Tensor own = flat.values().detach().clone();
      apply();
      try {
        return work.get();
      } finally {
        flat.update(() -> flat.values().copy_(own));
      }
    }
  }

  @Override
  public void close() {
    Scope.release(average);
  }
}
