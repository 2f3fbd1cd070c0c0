package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.nn.Parameters;
import cifvi.tensor.Rng;
import cifvi.tensor.Scope;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * An exponential moving average of the parameters, whose noise is smaller than that of the last
 * step: a ← d a + (1-d) θ, where d grows to {@value #DECAY} as min(DECAY, (1+t)/(10+t)) so that the
 * start is forgotten.
 *
 * <p>Running statistics of batch norms are of the parameters that gave them, and their average is
 * not what averaged parameters give: those are {@link #measure measured}.
 */
public final class WeightAverage implements AutoCloseable {
  private static final double DECAY = 0.999;

  private final Parameters parameters;
  private final FlatParameters flat;
  private final Tensor average;
  private final SequencedMap<String, Tensor> statistics = new LinkedHashMap<>();

  public WeightAverage(Parameters parameters) {
    this.parameters = parameters;
    flat = parameters.flat();
    average = Scope.keep(flat.values().detach().clone());
    if (parameters.stepChangesBuffers()) {
      parameters.buffers().forEach((name, b) -> statistics.put(name, Scope.keep(b.clone())));
    }
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
      copy(parameters.buffers(), statistics);
    }
  }

  /** The average, in the layout of the parameters. */
  public Tensor average() {
    return average;
  }

  /** The buffers that go with it, by name; none where training changes no buffers. */
  public SequencedMap<String, Tensor> statistics() {
    return Collections.unmodifiableSequencedMap(statistics);
  }

  /**
   * Gives batch norms, for the averaged parameters, the mean and the variance of what a batch
   * becomes on its way to them: by a pass in which each divides by those of the batch.
   */
  public void measure(Model model, Observation x, Rng rng) {
    during(
        () -> {
          parameters.training(true);
          try (var _ = new NoGradGuard()) {
            var _ = model.posterior().sample(x, rng);
            parameters.measured();
            copy(parameters.buffers(), statistics);
          } finally {
            parameters.training(false);
          }
          return true;
        });
  }

  /** Makes the average the parameters of the model. */
  public void apply() {
    replace(average, statistics);
  }

  /** Gives the model the average for as long as this takes, and its own parameters back. */
  public <T> T during(Supplier<T> work) {
    try (var _ = new PointerScope()) {
      Tensor own = flat.values().detach().clone();
      Map<String, Tensor> ownStatistics = new LinkedHashMap<>();
      if (!statistics.isEmpty()) {
        parameters.buffers().forEach((name, b) -> ownStatistics.put(name, b.clone()));
      }
      apply();
      try {
        return work.get();
      } finally {
        replace(own, ownStatistics);
      }
    }
  }

  private void replace(Tensor values, Map<String, Tensor> buffers) {
    flat.update(
        () -> {
          flat.values().copy_(values);
          copy(buffers, parameters.buffers());
        });
  }

  /** All buffers, where they go with the average. */
  private void copy(Map<String, Tensor> from, Map<String, Tensor> to) {
    if (!statistics.isEmpty()) {
      to.forEach((name, buffer) -> buffer.copy_(from.get(name)));
    }
  }

  @Override
  public void close() {
    Scope.release(average);
    statistics.values().forEach(Scope::release);
  }
}
