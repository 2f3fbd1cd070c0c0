package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.kernel.DecoderPass;
import cifvi.engine.internal.graph.kernel.ImportanceKernel;
import cifvi.engine.internal.graph.kernel.NoiseRegions;
import cifvi.engine.internal.graph.kernel.NormKernels;
import cifvi.engine.internal.graph.kernel.PrepareKernel;
import cifvi.engine.internal.graph.kernel.ProgramKernel;
import cifvi.engine.internal.graph.kernel.ProgramMemory;
import cifvi.engine.internal.graph.kernel.ProgramSource;
import cifvi.engine.internal.graph.kernel.TapeView;
import cifvi.engine.internal.graph.kernel.WeightKernels;
import cifvi.engine.internal.graph.program.Barrier;
import cifvi.engine.internal.graph.program.CompiledProgram;
import cifvi.engine.internal.graph.program.DeviceCompiler;
import cifvi.engine.internal.graph.program.DeviceNorm;
import cifvi.engine.internal.graph.program.DeviceSegment;
import cifvi.engine.internal.graph.program.ProgramLayout;
import cifvi.engine.internal.graph.program.ProgramTable;
import cifvi.engine.internal.plan.Plan;
import cifvi.engine.internal.plan.UncoveredException;
import cifvi.nn.FlatParameters;
import cifvi.tensor.Rng;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A model's objective and its gradient for batches of one size, as a few launches of hand-written
 * kernels and what libtorch does for segments. Nothing here waits for the device, and all memory
 * but that of segments is there from the beginning, so that a CUDA graph can capture a step.
 */
final class DeviceProgram implements AutoCloseable {
  private static final int THERE_AND_BACK = ProgramSource.FORWARD | ProgramSource.BACKWARD;

  private final Model model;
  private final Plan plan;
  private final boolean learn;
  private final CompiledProgram compiled;
  private final int rows;
  private final int draws;
  private final ProgramMemory memory;
  private final TapeView tape;
  private final NoiseRegions regions;
  private final PrepareKernel prepare;
  private final ProgramKernel kernel;
  private final NormKernels norms;
  private final Optional<DecoderPass> decoder;
  private final @Nullable ImportanceKernel importance;
  private final WeightKernels weightGradients;
  private final Tensor mean;
  private long loads;

  private DeviceProgram(
      Model model, Launcher launcher, int observations, Objective objective, boolean learn) {
    this.model = model;
    this.learn = learn;
    loads = model.parameters().loads();
    plan = DeviceCompiler.plan(model, objective);
    draws = plan.weights().draws();
    rows = observations * draws;
    FlatParameters flat = plan.parameters();
    compiled = DeviceCompiler.compile(plan, learn);
    ProgramLayout layout = compiled.layout();
    var table = ProgramTable.of(layout, learn);
    memory = new ProgramMemory(plan.backend());
    tape = new TapeView(memory.floats((long) table.columns() * rows), table, rows);
    regions = tape.noise(layout.noise(), memory);
    prepare = new PrepareKernel(launcher, flat, layout, memory);
    Tensor prepared = prepare.prepared();
    kernel = new ProgramKernel(launcher, flat, compiled, tape, prepared, memory);
    norms = new NormKernels(launcher, flat, tape, prepared);
    decoder = compiled.decoder().map(s -> new DecoderPass(s, launcher, flat, tape, memory, learn));
    importance =
        plan.weights().equal() ? null : new ImportanceKernel(launcher, observations, draws, memory);
    weightGradients = new WeightKernels(launcher, flat, layout.maps(), tape, prepared, memory);
    mean = memory.doubles(1);
  }

  /**
   * For {@link #forward} with batches of {@code rows} rows.
   *
   * @throws UncoveredException where {@link Coverage} has an obstacle
   */
  static DeviceProgram evaluating(Model model, Launcher launcher, int rows) {
    return new DeviceProgram(model, launcher, rows, new Objective.Elbo(), false);
  }

  /**
   * For {@link #step} with batches of {@code observations} rows.
   *
   * @throws UncoveredException where {@link Coverage} has an obstacle
   */
  static DeviceProgram learning(
      Model model, Launcher launcher, int observations, Objective objective) {
    return new DeviceProgram(model, launcher, observations, objective, true);
  }

  /**
   * Forward and backward: adds the gradient of minus the mean of the objective to {@link
   * FlatParameters#gradient}, and leaves the mean in {@link #objective}.
   */
  void step(Observation observed, Rng rng) {
    Observation x = draws == 1 ? observed : observed.repeat(draws);
    start(x, rng);
    if (compiled.single()) {
      kernel.walk(0, compiled.end(), x, THERE_AND_BACK);
    } else {
      Deque<LiveDeviceSegments> live = there(x, rng, true);
      kernel.branches(x, THERE_AND_BACK);
      late(x, rng);
      back(x, live);
    }
    Tensor weights = importance == null ? null : importance.run(kernel.logWeight(), mean);
    weightGradients.add(kernel.seed(), weights, kernel.logWeight(), mean);
  }

  /** To the end of the chain, with what looks at the whole batch in between. */
  private Deque<LiveDeviceSegments> there(Observation x, Rng rng, boolean back) {
    Deque<LiveDeviceSegments> live = new ArrayDeque<>();
    int from = 0;
    for (Barrier barrier : compiled.barriers()) {
      int next = compiled.layout().start(barrier.before());
      kernel.walk(from, next, x, ProgramSource.FORWARD);
      switch (barrier) {
        case Barrier.Norm(DeviceNorm norm, int _) -> norms.statistics(norm);
        case Barrier.Torch(DeviceSegment segment, int _) ->
            live.push(LiveDeviceSegments.run(List.of(segment), tape, x, rng, back));
      }
      from = next;
    }
    kernel.walk(from, compiled.split(), x, ProgramSource.FORWARD);
    return live;
  }

  /** Late segments and the last stage, there and back. */
  private void late(Observation x, Rng rng) {
    if (compiled.lastStage()) {
      LiveDeviceSegments late = LiveDeviceSegments.run(compiled.late(), tape, x, rng, true);
      Optional<DecoderPass.Live> decoded = decoder.map(d -> d.forward(x));
      kernel.walk(compiled.last(), compiled.end(), x, THERE_AND_BACK);
      late.backward(tape);
      decoder.ifPresent(d -> d.backward(decoded.orElseThrow()));
    }
  }

  /** Back from there, with what looks at the gradients of the whole batch in between. */
  private void back(Observation x, Deque<LiveDeviceSegments> live) {
    int to = compiled.split();
    for (Barrier barrier : compiled.barriers().reversed()) {
      int next = compiled.layout().start(barrier.behind());
      kernel.walk(next, to, x, ProgramSource.BACKWARD);
      switch (barrier) {
        case Barrier.Norm(DeviceNorm norm, int _) -> norms.gradients(norm, kernel.seed());
        case Barrier.Torch _ -> live.pop().backward(tape);
      }
      to = next;
    }
    kernel.walk(0, to, x, ProgramSource.BACKWARD);
  }

  /** Log-weights alone, batch norms with their running averages. */
  void forward(Observation x, Rng rng) {
    start(x, rng);
    compiled.norms().forEach(norms::averages);
    there(x, rng, false);
    kernel.branches(x, ProgramSource.FORWARD);
    if (compiled.lastStage()) {
      LiveDeviceSegments.run(compiled.late(), tape, x, rng, false);
      decoder.ifPresent(d -> d.forward(x));
      kernel.walk(compiled.last(), compiled.end(), x, ProgramSource.FORWARD);
    }
  }

  /**
   * Takes in the buffers of the model, which the program holds copies of, where they were loaded
   * since. The memory stays the same, so that captured graphs see it.
   */
  void refresh() {
    long now = model.parameters().loads();
    if (now != loads) {
      ProgramLayout layout = DeviceCompiler.compile(plan, learn).layout();
      try (var _ = new PointerScope();
          var newer = new ProgramMemory(plan.backend())) {
        int[] words = ProgramTable.of(layout, learn).words();
        kernel.refresh(newer.integers(words), newer.constants(layout.constants()));
      }
      loads = now;
    }
  }

  private void start(Observation x, Rng rng) {
    if (x.rows() != rows) {
      throw new IllegalArgumentException("x: expected " + rows + " rows, got " + x.rows());
    }
    regions.fill(rng);
    prepare.run();
  }

  /** The mean objective of the last step, a double. */
  Tensor objective() {
    return mean;
  }

  /** Δ + log p(x, z) of every row, doubles. */
  Tensor logWeight() {
    return kernel.logWeight().narrow(0, 0, rows);
  }

  /** log p(x, z) of every row, doubles. */
  Tensor logJoint() {
    return kernel.logJoint();
  }

  /** What the last layer gave, {@code [rows, d]}; a view. */
  Tensor z() {
    return tape.value(compiled.z());
  }

  @Override
  public void close() {
    memory.close();
  }
}
