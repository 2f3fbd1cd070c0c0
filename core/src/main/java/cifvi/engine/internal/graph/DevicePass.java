package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.kernel.DecoderPass;
import cifvi.engine.internal.graph.kernel.DeviceMemory;
import cifvi.engine.internal.graph.kernel.ImportanceKernel;
import cifvi.engine.internal.graph.kernel.InterpreterKernel;
import cifvi.engine.internal.graph.kernel.NoiseRegions;
import cifvi.engine.internal.graph.kernel.NormKernels;
import cifvi.engine.internal.graph.kernel.PrepareKernel;
import cifvi.engine.internal.graph.kernel.TapeView;
import cifvi.engine.internal.graph.kernel.Walk;
import cifvi.engine.internal.graph.kernel.WeightKernels;
import cifvi.engine.internal.graph.program.Barrier;
import cifvi.engine.internal.graph.program.DeviceCompiler;
import cifvi.engine.internal.graph.program.OpLayout;
import cifvi.engine.internal.graph.program.OpTable;
import cifvi.engine.internal.graph.program.Program;
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
final class DevicePass implements AutoCloseable {
  private final Model model;
  private final Launcher launcher;
  private final Plan plan;
  private final boolean training;
  private final Program program;
  private final int rows;
  private final int draws;
  private final DeviceMemory memory;
  private final TapeView tape;
  private final NoiseRegions regions;
  private final PrepareKernel prepare;
  private final InterpreterKernel kernel;
  private final NormKernels norms;
  private final Optional<DecoderPass> decoder;
  private final @Nullable ImportanceKernel importance;
  private final WeightKernels weightGradients;
  private final Tensor mean;
  private long loads;

  private DevicePass(
      Model model, Launcher launcher, int observations, Objective objective, boolean training) {
    this.model = model;
    this.launcher = launcher;
    this.training = training;
    loads = model.parameters().loads();
    plan = DeviceCompiler.plan(model, objective);
    draws = plan.bound().draws();
    rows = observations * draws;
    FlatParameters flat = plan.parameters();
    program = DeviceCompiler.compile(plan, training);
    OpLayout layout = program.layout();
    var table = OpTable.of(layout, training);
    memory = new DeviceMemory(plan.backend());
    tape = new TapeView(memory.floats((long) table.columns() * rows), table, rows);
    regions = tape.noise(layout.noise, memory);
    prepare = new PrepareKernel(launcher, flat, layout, memory);
    Tensor prepared = prepare.prepared;
    kernel = new InterpreterKernel(launcher, flat, program, tape, prepared, memory);
    norms = new NormKernels(launcher, program.norms(), tape, prepared, memory);
    decoder =
        program.decoder().map(s -> new DecoderPass(s, launcher, flat, tape, memory, training));
    importance =
        plan.bound().isMean() ? null : new ImportanceKernel(launcher, observations, draws, memory);
    weightGradients = new WeightKernels(launcher, flat, layout.maps, tape, prepared, memory);
    mean = memory.doubles(1);
  }

  /**
   * For {@link #forward} with batches of {@code rows} rows.
   *
   * @throws UncoveredException where {@link Coverage} has an obstacle
   */
  static DevicePass evaluating(Model model, Launcher launcher, int rows) {
    return new DevicePass(model, launcher, rows, new Objective.Elbo(), false);
  }

  /**
   * For {@link #step} with batches of {@code observations} rows.
   *
   * @throws UncoveredException where {@link Coverage} has an obstacle
   */
  static DevicePass training(
      Model model, Launcher launcher, int observations, Objective objective) {
    return new DevicePass(model, launcher, observations, objective, true);
  }

  /**
   * Forward and backward: adds the gradient of minus the mean of the objective to {@link
   * FlatParameters#gradient}, and leaves the mean in {@link #objective}.
   */
  void step(Observation observed, Rng rng) {
    Observation x = draws == 1 ? observed : observed.repeat(draws);
    start(x, rng);
    Runnable prepared = beside(this::prepareDecoder);
    Deque<LiveDeviceSegments> live = forwardChain(x, rng, true);
    Late late = program.lastStage() ? late(x, rng, prepared) : turn(x);
    Runnable decoderWeights = beside(late.decoderWeights);
    backwardChain(x, live);
    weightGradients.add(kernel.dLogWeight(), late.factors, kernel.logWeight, mean);
    decoderWeights.run();
  }

  private void prepareDecoder() {
    decoder.ifPresent(DecoderPass::prepare);
  }

  /** Beside what follows where there is a decoder to fill the device: see {@link Launcher}. */
  private Runnable beside(Runnable work) {
    if (decoder.isPresent()) {
      return launcher.beside(work);
    }
    work.run();
    return () -> {};
  }

  /** To the last barrier of the chain, with what looks at the whole batch in between. */
  private Deque<LiveDeviceSegments> forwardChain(Observation x, Rng rng, boolean backward) {
    Deque<LiveDeviceSegments> live = new ArrayDeque<>();
    int from = 0;
    for (Barrier barrier : program.barriers()) {
      int next = program.layout().start(barrier.stage());
      kernel.walk(Walk.FORWARD, from, from, next, x, batch(barrier));
      if (barrier instanceof Barrier.Torch(Program.Segment segment, int _)) {
        live.push(LiveDeviceSegments.run(List.of(segment), tape, x, rng, backward));
      }
      from = next;
    }
    return live;
  }

  /** For a batch norm that looks at the whole batch; null where it is another who does. */
  private @Nullable Tensor batch(Barrier barrier) {
    return barrier instanceof Barrier.Norm(Program.Norm norm, int _) ? norms.batch(norm) : null;
  }

  /** From the last barrier to the end of the chain. */
  private void walkOn(Observation x) {
    kernel.walk(Walk.FORWARD, program.behindBarriers(Barrier::stage), program.split(), x);
  }

  /** The same, and back at once: rows there do not wait for others. */
  private Late turn(Observation x) {
    var barriers = program.barriers();
    int from = program.behindBarriers(Barrier::stage);
    int back = program.behindBarriers(Barrier::behind);
    Tensor norm = barriers.isEmpty() ? null : batch(barriers.getLast());
    kernel.walk(Walk.BOTH, from, back, program.split(), x, norm);
    return new Late(factors(), () -> {});
  }

  /** What the gradients of every row weigh, once log-weights are known; null where all the same. */
  private @Nullable Tensor factors() {
    return importance == null ? null : importance.run(kernel.logWeight, mean);
  }

  /** What is left when the end of the chain has its gradient. */
  private record Late(@Nullable Tensor factors, Runnable decoderWeights) {}

  /**
   * The rest of the chain, branches, late segments and the last stage, forward and backward; the
   * factors are known in between.
   *
   * @param prepared waits until the decoder is
   */
  private Late late(Observation x, Rng rng, Runnable prepared) {
    walkOn(x);
    prepared.run();
    Runnable branches = beside(() -> kernel.branches(Walk.BOTH, x));
    LiveDeviceSegments late = LiveDeviceSegments.run(program.late(), tape, x, rng, true);
    decoder.ifPresent(d -> d.forward(x));
    branches.run();
    kernel.walk(Walk.BOTH, program.last(), program.end(), x);
    Tensor factors = factors();
    late.backward(tape);
    return new Late(factors, decoder.map(d -> d.backward(x, factors)).orElse(() -> {}));
  }

  /** Back to the base, with what looks at the gradients of the whole batch in between. */
  private void backwardChain(Observation x, Deque<LiveDeviceSegments> live) {
    int to = program.split();
    for (Barrier barrier : program.barriers().reversed()) {
      int next = program.layout().start(barrier.behind());
      walkBack(next, to, x, batch(barrier));
      if (barrier instanceof Barrier.Torch) {
        live.pop().backward(tape);
      }
      to = next;
    }
    walkBack(0, to, x, null);
  }

  /** A part of the way back, unless {@link #turn} has made it. */
  private void walkBack(int from, int to, Observation x, @Nullable Tensor norm) {
    if (to < program.split() || program.lastStage()) {
      kernel.walk(Walk.BACKWARD, from, from, to, x, norm);
    }
  }

  /** Log-weights alone, batch norms with their running averages. */
  void forward(Observation x, Rng rng) {
    start(x, rng);
    prepareDecoder();
    norms.take();
    forwardChain(x, rng, false);
    walkOn(x);
    kernel.branches(Walk.FORWARD, x);
    if (program.lastStage()) {
      LiveDeviceSegments.run(program.late(), tape, x, rng, false);
      decoder.ifPresent(d -> d.forward(x));
      kernel.walk(Walk.FORWARD, program.last(), program.end(), x);
    }
  }

  /**
   * Takes in the buffers of the model, which the program holds copies of, where they were loaded
   * since. The memory stays the same, so that captured graphs see it.
   */
  void refresh() {
    long now = model.parameters().loads();
    if (now != loads) {
      OpLayout layout = DeviceCompiler.compile(plan, training).layout();
      try (var _ = new PointerScope();
          var newer = new DeviceMemory(plan.backend())) {
        int[] words = OpTable.of(layout, training).words();
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

  /**
   * Lets running averages take the batch of the last step in.
   *
   * @param applied whether the step was applied, a Boolean on the device
   * @return whether that is all that may change buffers
   */
  boolean fold(Tensor applied) {
    norms.fold(applied);
    return plan.pieces().isEmpty();
  }

  /** The mean objective of the last step, a double. */
  Tensor objective() {
    return mean;
  }

  /** Δ + log p(x, z) of every row, doubles. */
  Tensor logWeight() {
    return kernel.logWeight.narrow(0, 0, rows);
  }

  /** log p(x, z) of every row, doubles. */
  Tensor logJoint() {
    return kernel.logJoint;
  }

  /** What the last layer gave, {@code [rows, d]}; a view. */
  Tensor z() {
    return tape.value(program.z());
  }

  @Override
  public void close() {
    memory.close();
  }
}
