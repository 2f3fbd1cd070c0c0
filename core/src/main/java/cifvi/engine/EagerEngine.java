package cifvi.engine;

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
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Plain libtorch autograd, one operation after the other: the oracle for every other engine. Works
 * on any device, in any precision, with any user's bijection or target.
 */
public final class EagerEngine implements StepEngine {
  private static final double CLIP_EPSILON = 1e-6;

  private final Model model;
  private final Objective objective;
  private final OptionalDouble clip;
  private final LongFunction<Rng> noise;
  private final FlatParameters flat;
  private final Adam adam;

  /**
   * An engine for one model and objective.
   *
   * @param clip largest global gradient norm, empty for no clipping
   * @param noise the noise of a step, by its number
   */
  public EagerEngine(
      Model model, Objective objective, OptionalDouble clip, LongFunction<Rng> noise) {
    if (clip.isPresent() && !(clip.getAsDouble() > 0)) {
      throw new IllegalArgumentException(
          "clip: expected a positive number, got " + clip.getAsDouble());
    }
    this.model = model;
    this.objective = objective;
    this.clip = clip;
    this.noise = noise;
    this.flat = model.parameters().flat();
    this.adam = new Adam(model.parameters().backend(), flat);
  }

  /** With counter-based noise from {@code seed}. */
  public static EagerEngine seeded(
      Model model, Objective objective, OptionalDouble clip, long seed) {
    var rng = new CounterRng(model.parameters().backend(), seed, Purpose.TRAIN);
    return new EagerEngine(model, objective, clip, rng::step);
  }

  @Override
  public StepInfo step(long step, double learningRate, Observation x) {
    model.parameters().training(true);
    try (var _ = new PointerScope()) {
      flat.gradient().zero_();
      Tensor loss = objective.value(model, x, noise.apply(step)).mean().neg();
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
    double factor = clip.isPresent() ? clip.getAsDouble() / (norm + CLIP_EPSILON) : 1;
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
