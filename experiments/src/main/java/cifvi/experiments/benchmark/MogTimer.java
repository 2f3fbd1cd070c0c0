package cifvi.experiments.benchmark;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.experiments.mog.MogSpec;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Times the training steps of mixture runs in turns, so that a busy moment hits all of them. */
public final class MogTimer implements AutoCloseable {
  private final MogSpec spec;
  private final Model model;
  private final StepEngine engine;
  private final StepTimer timer;
  private long next;

  private MogTimer(MogSpec spec) {
    this.spec = spec;
    model = spec.build(spec.backend());
    Objective objective = spec.objective().objective();
    var options = new StepOptions(OptionalDouble.of(spec.clip()), spec.seed(), spec.threads());
    engine = Engines.start(spec.choose(model, objective).kind(), model, objective, options);
    timer = new StepTimer(this::steps, model.parameters().backend().cuda(), System::nanoTime);
  }

  /** Milliseconds a step, the median of each, from {@code seconds} seconds of steps each. */
  public static List<Double> msPerStep(List<MogSpec> specs, double seconds) {
    var timers = new ArrayList<MogTimer>();
    try {
      specs.forEach(spec -> timers.add(new MogTimer(spec)));
      StepTimer.run(timers.stream().map(each -> each.timer).toList(), seconds);
      return timers.stream().map(each -> each.timer.quantile(0.5)).toList();
    } finally {
      timers.forEach(MogTimer::close);
    }
  }

  private void steps(int count) {
    var x = Observation.none(spec.samples());
    for (int i = 0; i < count; i++) {
      engine.submit(next++, spec.learningRate(), x, this::requireFinite);
    }
    engine.finish();
  }

  private void requireFinite(StepInfo info) {
    if (!info.applied()) {
      throw new ArithmeticException(spec.model() + ": step " + info.step() + " was not finite");
    }
  }

  @Override
  public void close() {
    engine.close();
    model.close();
  }
}
