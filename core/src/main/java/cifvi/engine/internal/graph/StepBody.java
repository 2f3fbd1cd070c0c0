package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.graph.kernel.DeviceBuffers;
import cifvi.tensor.Rng;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import org.bytedeco.pytorch.Tensor;

/**
 * Forward and backward pass of a step as work on the device that can be captured: nothing is copied
 * from or to the host, and no shape depends on data.
 */
public interface StepBody extends AutoCloseable {
  /**
   * Adds the gradient of minus the mean objective to {@code FlatParameters.gradient}, which is zero
   * before.
   *
   * @return the mean objective over the batch, one real number on the device of any type
   */
  Tensor run(Observation x, Rng rng);

  /**
   * Lets layers change their buffers when a step is done, as they do eagerly.
   *
   * @param applied whether the step was applied, a Boolean on the device
   * @param buffers does that for layers of libtorch
   */
  default void stepDone(Observation x, Tensor applied, DeviceBuffers buffers) {
    buffers.stepDone(applied);
  }

  /** Brings up to date what is kept of the model besides its tensors, before a captured step. */
  default void refresh() {}

  /** For the log: what runs the step. */
  String name();

  @Override
  default void close() {}

  /** By libtorch's autograd: any model, any objective, any precision. */
  record Autograd(Model model, Objective objective) implements StepBody {
    @Override
    public Tensor run(Observation x, Rng rng) {
      Tensor mean = objective.value(model, x, rng).mean();
      mean.neg().backward();
      return mean;
    }

    @Override
    public String name() {
      return "libtorch autograd";
    }
  }
}
