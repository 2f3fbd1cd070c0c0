package cifvi.experiments.benchmark;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.experiments.images.ImagesExperiment;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.mog.MogExperiment;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.ModelExperiment;
import cifvi.experiments.run.RunSpec;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Times the training steps of runs in turns, so that a busy moment hits all of them. Images are
 * random ones: the time does not depend on what they show.
 */
public final class RunTimer implements AutoCloseable {
  private final RunSpec spec;
  private final double learningRate;
  private final Model model;
  private final Observation x;
  private final StepEngine engine;
  private final StepTimer timer;
  private long next;

  private <S extends RunSpec> RunTimer(
      ModelExperiment<S, ?> experiment, S spec, double clip, double learningRate) {
    this.spec = spec;
    this.learningRate = learningRate;
    model = experiment.build(spec, spec.backend());
    x = observation(spec, model);
    Objective objective = experiment.objective(spec);
    var options = new StepOptions(OptionalDouble.of(clip), spec.seed(), spec.threads());
    engine = Engines.start(spec.choose(model, objective).kind(), model, objective, options);
    timer = new StepTimer(this::steps, model.parameters().backend().cuda(), System::nanoTime);
  }

  private static RunTimer of(RunSpec spec) {
    return switch (spec) {
      case MogSpec mog -> new RunTimer(new MogExperiment(), mog, mog.clip(), mog.learningRate());
      case ImagesSpec images ->
          new RunTimer(new ImagesExperiment(), images, images.clip(), images.learningRate());
      default -> throw new IllegalArgumentException("spec: not timed, " + spec.kind());
    };
  }

  private static Observation observation(RunSpec spec, Model model) {
    return switch (spec) {
      case ImagesSpec images ->
          new StepCase.Image(images.decoder(), images.model())
              .observation(model.parameters().backend());
      case MogSpec mog -> Observation.none(mog.samples());
      default -> throw new IllegalArgumentException("spec: not timed, " + spec.kind());
    };
  }

  /** Milliseconds a step, the median of each, from {@code seconds} seconds of steps each. */
  public static List<Double> msPerStep(List<? extends RunSpec> specs, double seconds) {
    var timers = new ArrayList<RunTimer>();
    try {
      specs.forEach(spec -> timers.add(of(spec)));
      StepTimer.run(timers.stream().map(each -> each.timer).toList(), seconds);
      return timers.stream().map(each -> each.timer.quantile(0.5)).toList();
    } finally {
      timers.forEach(RunTimer::close);
    }
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      engine.submit(next++, learningRate, x, this::requireFinite);
    }
    engine.finish();
  }

  private void requireFinite(StepInfo info) {
    if (!info.applied()) {
      throw new ArithmeticException(spec + ": step " + info.step() + " was not finite");
    }
  }

  @Override
  public void close() {
    engine.close();
    model.close();
  }
}
