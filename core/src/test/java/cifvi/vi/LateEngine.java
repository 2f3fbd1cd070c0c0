package cifvi.vi;

import cifvi.distribution.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** An engine that reports four steps at a time. */
record LateEngine(StepEngine engine, List<Runnable> waiting) implements StepEngine {
  LateEngine(StepEngine engine) {
    this(engine, new ArrayList<>());
  }

  @Override
  public StepInfo step(long step, double learningRate, Observation x) {
    return engine.step(step, learningRate, x);
  }

  @Override
  public void submit(long step, double rate, Observation x, Consumer<StepInfo> report) {
    StepInfo info = step(step, rate, x);
    waiting.add(() -> report.accept(info));
    if (waiting.size() == 4) {
      finish();
    }
  }

  @Override
  public void finish() {
    var reports = List.copyOf(waiting);
    waiting.clear();
    reports.forEach(Runnable::run);
  }

  @Override
  public Optimiser optimiser() {
    return engine.optimiser();
  }

  @Override
  public String name() {
    return "late";
  }

  @Override
  public void close() {}
}
