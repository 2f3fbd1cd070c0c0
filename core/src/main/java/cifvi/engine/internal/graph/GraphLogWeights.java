package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.CompilationException;
import cifvi.engine.internal.cuda.CudaGraph;
import cifvi.engine.internal.cuda.CudaLauncher;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.cuda.Recorder;
import cifvi.engine.internal.graph.kernel.DeviceRng;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.posterior.Posterior;
import cifvi.target.HostTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Rng;
import cifvi.tensor.Scope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log-weights on a CUDA device with noise made there. A pass whose shape comes a second time is
 * captured and replayed from then on, or started kernel by kernel where it cannot be captured;
 * others are eager, or kernel by kernel where hand-written ones cover the model: what is drawn
 * first has the bits of what is drawn later.
 */
public final class GraphLogWeights implements LogWeights {
  private static final Logger log = LoggerFactory.getLogger(GraphLogWeights.class);

  /** Each keeps the memory of its intermediate values. */
  private static final int MAX_GRAPHS = 6;

  private final Model model;
  private final Backend backend;
  private final LogWeights eager;
  private final Launcher launcher;
  private final @Nullable Launcher kernels;
  private final Map<Integer, DevicePass> devicePasses = new HashMap<>();
  private final Recorder recorder;
  private final Tensor address;
  private final Rng noise;
  private final Set<Key> seen = new HashSet<>();
  private final Map<Key, Optional<CapturedPass>> passes = new HashMap<>();
  private long features;

  /**
   * The shape of a pass.
   *
   * @param times draws for every row of x, or paths back from every row of z
   */
  private record Key(StaticInput.Shape x, boolean inverse, long times) {}

  public GraphLogWeights(Model model) {
    this(model, Cuda.common(model.parameters().backend()), kernels(model), CudaGraph::record);
  }

  private static @Nullable Launcher kernels(Model model) {
    var backend = model.parameters().backend();
    var obstacle = Coverage.obstacle(model, new Objective.Elbo(), CudaLauncher.limits(backend));
    obstacle.ifPresent(why -> log.info("libtorch runs the captured evaluations: {}", why));
    return obstacle.isPresent() ? null : Cuda.launcher(model);
  }

  /**
   * With launchers of its own.
   *
   * @param kernels those of {@link KernelSource}, null where libtorch runs the model
   */
  GraphLogWeights(Model model, Launcher launcher, @Nullable Launcher kernels, Recorder recorder) {
    this.kernels = kernels;
    this.model = model;
    this.launcher = launcher;
    this.recorder = recorder;
    backend = model.parameters().backend();
    eager = new DeviceNoiseLogWeights(LogWeights.eager(model), launcher);
    int words = DeviceRng.ADDRESS_WORDS;
    address = Scope.keep(backend.longs(new long[words], words));
    var anywhere = new CounterRng(backend, 0, Purpose.EVALUATE);
    noise = new DeviceRng(launcher, anywhere, address.data_ptr().address());
  }

  @Override
  public Draws draw(Observation x, long times, Rng rng) {
    try (var _ = new PointerScope()) {
      Tensor nothing = backend.zeros(0);
      var key = new Key(StaticInput.Shape.of(x), false, times);
      return replay(key, x, nothing, rng, (o, _) -> packed(o.repeat(times)))
          .map(numbers -> unpacked(numbers, x.rows() * times))
          .orElseGet(() -> eagerDraw(x, times, rng));
    }
  }

  private Draws eagerDraw(Observation x, long times, Rng rng) {
    Draws draws = eager.draw(x, times, rng);
    features = draws.z().length / (x.rows() * times);
    return draws;
  }

  /** z, Δ and log p(x, z) of every row side by side, {@code [rows, d + 2]}. */
  private Tensor packed(Observation x) {
    if (kernels != null) {
      return byKernels(kernels, x);
    }
    Posterior.Sample draw = model.posterior().sample(x, noise);
    Tensor logJoint = model.logJoint(x, draw.z());
    return torch.cat(
        new TensorVector(draw.z(), draw.delta().unsqueeze(1), logJoint.unsqueeze(1)), 1);
  }

  /** The same by hand-written kernels. */
  private Tensor byKernels(Launcher kernels, Observation x) {
    int rows = Math.toIntExact(x.rows());
    return packed(
        devicePasses.computeIfAbsent(rows, n -> DevicePass.evaluating(model, kernels, n)), x);
  }

  private Tensor packed(DevicePass pass, Observation x) {
    pass.forward(x, noise);
    Tensor delta = pass.logWeight().sub(pass.logJoint()).unsqueeze(1);
    Tensor logJoint = pass.logJoint().unsqueeze(1);
    return torch.cat(new TensorVector(pass.z(), delta, logJoint), 1);
  }

  private Draws unpacked(double[] numbers, long rows) {
    int d = Math.toIntExact(features);
    int n = Math.toIntExact(rows);
    var draws = new Draws(new double[n * d], new double[n], new double[n]);
    for (int i = 0; i < n; i++) {
      int at = i * (d + 2);
      System.arraycopy(numbers, at, draws.z(), i * d, d);
      draws.delta()[i] = numbers[at + d];
      draws.logJoint()[i] = numbers[at + d + 1];
    }
    return draws;
  }

  @Override
  public double[] backward(double[] z, Observation x, long paths, Rng rng) {
    try (var _ = new PointerScope()) {
      Tensor rows = backend.tensor(z, x.rows(), z.length / x.rows());
      var key = new Key(StaticInput.Shape.of(x), true, paths);
      return replay(key, x, rows, rng, (o, from) -> logWeight(o, from, paths))
          .orElseGet(() -> eager.backward(z, x, paths, rng));
    }
  }

  private Tensor logWeight(Observation x, Tensor z, long paths) {
    Tensor repeated = z.repeat_interleave(paths, new LongOptional(0), new LongOptional());
    return model.posterior().logWeight(repeated, x.repeat(paths), noise);
  }

  /** The numbers of a captured pass; empty where the pass is to be eager. */
  private Optional<double[]> replay(
      Key key, Observation x, Tensor in, Rng rng, CapturedPass.Function function) {
    if (!(rng instanceof CounterRng at) || at.stream() != 0) {
      return Optional.empty();
    }
    boolean first = seen.add(key);
    Optional<Launcher> draws = key.inverse ? Optional.empty() : Optional.ofNullable(kernels);
    if (first && draws.isEmpty()) {
      return Optional.empty();
    }
    launcher.launch(
        "set_address",
        1,
        1,
        0,
        address,
        at.seed(),
        at.step(),
        at.firstRow(),
        (long) at.purpose().code());
    model.parameters().training(false);
    if (first) {
      return draws.map(program -> once(program, x.repeat(key.times)));
    }
    devicePasses.values().forEach(DevicePass::refresh);
    return passes
        .computeIfAbsent(key, _ -> capture(key, x, in, function))
        .map(pass -> pass.apply(x, in))
        .or(() -> draws.map(program -> once(program, x.repeat(key.times))));
  }

  /** By hand-written kernels whose memory is not kept. */
  private double[] once(Launcher program, Observation x) {
    try (var pass = DevicePass.evaluating(model, program, Math.toIntExact(x.rows()))) {
      Tensor numbers = packed(pass, x);
      features = numbers.size(1) - 2;
      return Backend.doubles(numbers);
    }
  }

  private Optional<CapturedPass> capture(
      Key key, Observation x, Tensor in, CapturedPass.Function function) {
    if (passes.size() >= MAX_GRAPHS) {
      return Optional.empty();
    }
    long rows = x.rows() * key.times;
    Tensor out = key.inverse ? backend.zeros(rows) : backend.zeros(rows, features + 2);
    if (!key.inverse && model.target() instanceof HostTarget) {
      return Optional.of(pass(Recorder::live, x, in, out, function));
    }
    try {
      var pass = pass(recorder, x, in, out, function);
      log.debug("captured an evaluation of {} rows as {} kernels", rows, pass.kernels());
      return Optional.of(pass);
    } catch (CompilationException e) {
      throw e;
    } catch (RuntimeException e) {
      log.warn("evaluations are not captured, since they cannot be: {}", e.getMessage());
      return Optional.of(pass(Recorder::live, x, in, out, function));
    }
  }

  private static CapturedPass pass(
      Recorder recorder, Observation x, Tensor in, Tensor out, CapturedPass.Function function) {
    return new CapturedPass(recorder, x, in, out.to(ScalarType.Double).clone(), function);
  }

  @Override
  public boolean explicit() {
    return model.posterior().explicit();
  }

  @Override
  public void close() {
    passes.values().forEach(pass -> pass.ifPresent(CapturedPass::close));
    devicePasses.values().forEach(DevicePass::close);
    Scope.release(address);
  }
}
