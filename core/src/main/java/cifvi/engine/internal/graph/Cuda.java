package cifvi.engine.internal.graph;

import cifvi.engine.internal.cuda.CudaDriver;
import cifvi.engine.internal.cuda.CudaGraph;
import cifvi.engine.internal.cuda.CudaLauncher;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.cuda.Nvrtc;
import cifvi.engine.internal.graph.kernel.DeviceRng;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.engine.internal.graph.program.DeviceCompiler;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Rng;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this package offers to a model on a CUDA device. */
public final class Cuda {
  private static final Logger log = LoggerFactory.getLogger(Cuda.class);

  private Cuda() {}

  /** Why kernels cannot be compiled and started in this process, if so. */
  public static Optional<String> obstacle() {
    try {
      CudaDriver.get();
      Nvrtc.get();
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** Kernels of sources of one's own, for the backend's device. */
  public static Launcher launcher(Backend backend, List<String> sources) {
    return CudaLauncher.of(backend, sources);
  }

  /** Kernels for the training and the evaluation of a model that {@link Coverage} has. */
  static Launcher launcher(Model model) {
    var plan = DeviceCompiler.plan(model, new Objective.Elbo());
    var sources = KernelSource.passes(DeviceCompiler.compile(plan, true));
    return CudaLauncher.of(model.parameters().backend(), sources);
  }

  /** Kernels of noise, Adam and buffers in the backend's precision. */
  static Launcher common(Backend backend) {
    return launcher(backend, List.of(KernelSource.common(backend.precision())));
  }

  /** The engine, with counter-based noise. */
  public static StepEngine engine(Model model, Objective objective, StepOptions options) {
    var _ = common(model.parameters().backend()); // compiled beside the others
    return engine(model, options, body(model, objective));
  }

  /** Hand-written kernels, or libtorch where they do not cover the model. */
  private static StepBody body(Model model, Objective objective) {
    var backend = model.parameters().backend();
    var obstacle = Coverage.obstacle(model, objective, CudaLauncher.limits(backend));
    if (obstacle.isPresent()) {
      log.info("libtorch runs the captured steps: {}", obstacle.get());
      return new StepBody.Autograd(model, objective);
    }
    return new KernelBody(model, objective, launcher(model));
  }

  /** The engine with another forward and backward pass, which it closes. */
  static StepEngine engine(Model model, StepOptions options, StepBody body) {
    var launcher = Cuda.common(model.parameters().backend());
    return new GraphEngine(model, options, body, launcher, CudaGraph::record);
  }

  /** The noise of training steps, by their number: made on the device where that can be. */
  public static LongFunction<Rng> noise(Backend backend, long seed) {
    var counter = new CounterRng(backend, seed, Purpose.TRAIN);
    if (obstacle().isPresent()) {
      return counter::step;
    }
    var launcher = Cuda.common(backend);
    return step -> new DeviceRng(launcher, counter.step(step));
  }

  /** Log-weights by the model's own code, with noise made on the device where that can be. */
  public static LogWeights eagerLogWeights(Model model) {
    LogWeights eager = LogWeights.eager(model);
    return obstacle().isPresent()
        ? eager
        : new DeviceNoiseLogWeights(eager, Cuda.common(model.parameters().backend()));
  }
}
