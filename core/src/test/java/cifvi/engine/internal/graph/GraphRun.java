package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.bytedeco.pytorch.Tensor;

/** A model with the engine that trains it. */
final class GraphRun implements AutoCloseable {
  private static final int ROWS = 60;
  private static final StepOptions OPTIONS = new StepOptions(OptionalDouble.of(5), 4, 1);

  /** A model, named for the report, and the objective it is trained for. */
  record Named(String name, Case shape, Objective objective) {
    Named(String name, Case shape) {
      this(name, shape, new Objective.Elbo());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  final Named named;
  final Backend backend;
  final Model model;
  final StepEngine engine;
  final List<StepInfo> infos = new ArrayList<>();
  private final Map<Integer, Observation> batches = new HashMap<>();

  private GraphRun(Named named, Backend backend, Function<Model, StepEngine> engine) {
    this.named = named;
    this.backend = backend;
    model = named.shape().build(backend);
    this.engine = engine.apply(model);
  }

  static GraphRun eager(Named named, Backend backend) {
    return new GraphRun(
        named, backend, model -> EagerEngine.seeded(model, named.objective(), OPTIONS));
  }

  static GraphRun graph(Named named, Backend backend) {
    return new GraphRun(named, backend, model -> engine(named, model));
  }

  private static StepEngine engine(Named named, Model model) {
    var backend = model.parameters().backend();
    return backend.cuda()
        ? Cuda.engine(model, named.objective(), OPTIONS)
        : new GraphEngine(
            model,
            OPTIONS,
            body(named, model),
            HostKernels.of(backend.precision()),
            HostRecording::of);
  }

  /** Batch norm by kernels, so that they meet skipped steps and running averages. */
  private static StepBody body(Named named, Model model) {
    return model.parameters().stepChangesBuffers()
            && Coverage.obstacle(model, named.objective(), Devices.H200).isEmpty()
        ? new KernelBody(model, named.objective(), HostKernels.program())
        : new StepBody.Autograd(model, named.objective());
  }

  void steps(int from, int to, double rate) {
    for (int i = from; i < to; i++) {
      engine.submit(i, rate, x(i), infos::add);
    }
    engine.finish();
  }

  /** Every third batch is smaller, and so has a graph of its own. */
  Observation x(int i) {
    return batches.computeIfAbsent(
        i % 3 == 2 ? ROWS - 13 : ROWS, rows -> named.shape().x(backend, rows));
  }

  double[] gradient() {
    return Backend.doubles(model.parameters().flat().gradient());
  }

  List<Tensor> state() {
    var state = new ArrayList<>(model.parameters().buffers().values());
    state.add(model.parameters().flat().values());
    state.addAll(engine.optimiser().moments().values());
    return state;
  }

  List<List<Double>> numbers() {
    return state().stream().map(t -> Backend.doubles(t)).map(GraphRun::list).toList();
  }

  private static List<Double> list(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  @Override
  public void close() {
    engine.close();
    model.close();
  }
}
