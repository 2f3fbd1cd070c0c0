package cifvi.engine.eager;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Rng;
import cifvi.vi.Adam;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.function.LongFunction;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Plain libtorch autograd, one operation after the other: the oracle for every other engine. Works
 * on any device, in any precision, with any user's bijection or target.
 */
public final class EagerEngine implements StepEngine {
  private final Model model;
  private final Objective objective;
  private final StepOptions options;
  private final LongFunction<Rng> noise;
  private final FlatParameters flat;
  private final Adam adam;
  private boolean tried; // the target, for its gradient

  /**
   * An engine for one model and objective.
   *
   * @param noise of a step, by its number, in place of that of the seed
   */
  public EagerEngine(
      Model model, Objective objective, StepOptions options, LongFunction<Rng> noise) {
    this.model = model;
    this.objective = objective;
    this.options = options;
    this.noise = noise;
    this.flat = model.parameters().flat();
    this.adam = new Adam(model.parameters().backend(), flat);
  }

  /** With counter-based noise from the seed. */
  public static EagerEngine seeded(Model model, Objective objective, StepOptions options) {
    var rng = new CounterRng(model.parameters().backend(), options.seed(), Purpose.TRAIN);
    return new EagerEngine(model, objective, options, rng::step);
  }

  @Override
  public StepInfo step(long step, double learningRate, Observation x) {
    if (!tried) {
      model.requireGradient(x);
      tried = true;
    }
    model.parameters().training(true);
    try (var _ = new PointerScope()) {
      flat.gradient().zero_();
      Tensor loss = objective.at(step).value(model, x, noise.apply(step)).mean().neg();
      loss.backward();
      flat.maskGradient();
      double value = -loss.item_double();
      double norm = flat.gradient().norm().item_double();
      boolean finite = Double.isFinite(value) && Double.isFinite(norm);
      if (finite) {
        clip(norm);
        adam.step(learningRate);
        model.parameters().stepDone();
      }
      return new StepInfo(step, value, norm, finite);
    } finally {
      model.parameters().training(false);
    }
  }

  private void clip(double norm) {
    double factor = options.factor(norm);
    if (factor < 1) {
      flat.gradient().mul_(new Scalar(factor));
    }
  }

  @Override
  public Adam optimiser() {
    return adam;
  }

  @Override
  public String name() {
    return "eager";
  }

  @Override
  public void close() {
    adam.close();
  }
}
