package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.CompilationException;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.cuda.Recorder;
import cifvi.engine.internal.graph.kernel.DeviceAdam;
import cifvi.engine.internal.graph.kernel.DeviceBuffers;
import cifvi.engine.internal.graph.kernel.DeviceRng;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.nn.Parameters;
import cifvi.target.HostTarget;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Adam;
import cifvi.vi.Model;
import cifvi.vi.Optimiser;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Training steps on a CUDA device, each one launch of a graph: forward, backward, clipping, Adam
 * and running statistics, captured once for every shape of the batch. The host says the number of
 * the step and goes on; what the steps report is read some dozens at a time. A step that cannot be
 * captured, since it asks the host for numbers, is launched kernel by kernel instead.
 */
public final class GraphEngine implements StepEngine {
  private static final Logger log = LoggerFactory.getLogger(GraphEngine.class);

  private final Model model;
  private final Parameters parameters;
  private final StepBody body;
  private final Recorder recorder;
  private final CounterRng noise;
  private final Adam adam;
  private final DeviceAdam update;
  private final DeviceBuffers buffers;
  private final DeviceRng captured;
  private final Map<StaticInput.Shape, Work> work = new HashMap<>();
  private final List<Pending> pending = new ArrayList<>();
  private boolean started;

  /**
   * The step for one shape of the batch.
   *
   * @param waits whether the host has seen the step's end when {@code replay} returns
   */
  private record Work(Recorder.Recording recording, StaticInput x, boolean waits) {}

  private record Pending(long step, Consumer<StepInfo> report) {}

  /**
   * An engine with counter-based noise.
   *
   * @param body forward and backward pass, which the engine closes
   * @param launcher of {@link KernelSource#common}
   */
  GraphEngine(
      Model model, StepOptions options, StepBody body, Launcher launcher, Recorder recorder) {
    this.model = model;
    this.parameters = model.parameters();
    this.body = body;
    this.recorder = recorder;
    var backend = parameters.backend();
    noise = new CounterRng(backend, options.seed(), Purpose.TRAIN);
    adam = new Adam(backend, parameters.flat());
    update = new DeviceAdam(launcher, backend, parameters.flat(), adam, options);
    buffers = new DeviceBuffers(launcher, parameters);
    captured = new DeviceRng(launcher, noise, update.noiseAddress());
  }

  @Override
  public StepInfo step(long step, double learningRate, Observation x) {
    var reports = new ArrayList<StepInfo>();
    submit(step, learningRate, x, reports::add);
    finish();
    return reports.getFirst();
  }

  @Override
  public void submit(long step, double learningRate, Observation x, Consumer<StepInfo> report) {
    Work now = work.computeIfAbsent(StaticInput.Shape.of(x), _ -> prepare(x));
    if (!started) {
      update.start();
      started = true;
    }
    body.refresh();
    update.next(noise.step(step), learningRate, pending.size());
    now.x.set(x);
    now.recording.replay();
    pending.add(new Pending(step, report));
    if (now.waits || pending.size() == DeviceAdam.RING) {
      report();
    }
  }

  private Work prepare(Observation x) {
    model.requireGradient(x);
    var input = StaticInput.like(x);
    Runnable step = () -> run(input.x());
    if (model.target() instanceof HostTarget) {
      return new Work(Recorder.live(step), input, true);
    }
    try {
      update.warmUp(noise);
      var recording = recorder.record(step);
      log.info("captured {} as {} kernels a step", body.name(), recording.kernels());
      return new Work(recording, input, false);
    } catch (CompilationException e) {
      throw e;
    } catch (RuntimeException e) {
      log.warn("steps are launched one by one, since they cannot be captured: {}", e.getMessage());
      return new Work(Recorder.live(step), input, true);
    }
  }

  /** The step itself, as it warms up and is captured. */
  private void run(Observation x) {
    parameters.training(true);
    try (var _ = new PointerScope()) {
      parameters.flat().gradient().zero_();
      update.update(body.run(x, captured));
      body.stepDone(x, update.applied(), buffers);
    } finally {
      parameters.training(false);
    }
  }

  @Override
  public void finish() {
    report();
    if (started) {
      update.stop();
      started = false;
    }
  }

  private void report() {
    if (pending.isEmpty()) {
      return;
    }
    var done = List.copyOf(pending);
    pending.clear();
    var infos = update.reports(done.stream().map(Pending::step).toList());
    for (int i = 0; i < done.size(); i++) {
      done.get(i).report.accept(infos.get(i));
    }
  }

  @Override
  public Optimiser optimiser() {
    return adam;
  }

  @Override
  public String name() {
    return "graph";
  }

  @Override
  public void close() {
    for (Work each : work.values()) {
      each.recording.close();
      each.x.close();
    }
    update.close();
    buffers.close();
    body.close();
    adam.close();
  }
}
