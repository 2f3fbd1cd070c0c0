package cifvi.engine.graph;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.nn.Images;
import cifvi.tensor.Precision;
import cifvi.tensor.Shapes;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/**
 * A model's objective and its gradient for batches of one size, as a few launches of hand-written
 * kernels and what libtorch does for segments. Nothing here waits for the device, and all memory
 * but that of segments is there from the beginning, so that a CUDA graph can capture a step.
 */
final class DeviceProgram implements AutoCloseable {
  private static final int PREPARE_THREADS = 256;
  private static final int PREPARE_SHARED = PrepareJob.SIDE * (PrepareJob.SIDE + 1) * Float.BYTES;

  private final Launcher launcher;
  private final FlatParameters flat;
  private final CompiledProgram compiled;
  private final List<Op> ops;
  private final ProgramTable table;
  private final LaunchShape chain;
  private final LaunchShape branches;
  private final int rows;
  private final int draws;
  private final int prepareBlocks;
  private final ProgramMemory memory;
  private final TapeView tape;
  private final NoiseRegions regions;
  private final NormKernels norms;
  private final WeightKernels weightGradients;
  private final Tensor words;
  private final Tensor starts;
  private final Tensor prepareJobs;
  private final Tensor prepared;
  private final Tensor constants;
  private final Tensor logWeight;
  private final Tensor logJoint;
  private final Tensor importance;
  private final Tensor objective;

  private DeviceProgram(Model model, Launcher launcher, int rows, int draws, boolean learn) {
    this.launcher = launcher;
    this.rows = rows;
    this.draws = draws;
    flat = model.parameters().flat();
    compiled = DeviceCompiler.compile(model, learn);
    ProgramLayout layout = compiled.layout();
    ops = layout.ops();
    table = ProgramTable.of(layout, learn);
    chain = LaunchShape.chain(table, compiled.chainOps(), rows);
    branches = LaunchShape.branches(table, compiled.branchOps(), rows);
    memory = new ProgramMemory(model.parameters().backend());
    words = memory.integers(table.words());
    starts = memory.integers(compiled.starts().stream().mapToInt(i -> i).toArray());
    constants = memory.constants(layout.constants());
    prepared = memory.floats(layout.prepared());
    List<int[]> jobs = layout.prepareJobs().stream().flatMap(job -> job.blocks().stream()).toList();
    prepareBlocks = jobs.size();
    prepareJobs = memory.integers(concatenate(jobs));
    tape = new TapeView(memory.floats((long) table.columns() * rows), table, rows);
    regions = tape.noise(layout.noise(), memory);
    norms = new NormKernels(launcher, flat, tape, prepared);
    weightGradients = new WeightKernels(launcher, flat, layout.maps(), tape, prepared, memory);
    logWeight = memory.doubles((1L + compiled.branches()) * rows);
    logJoint = memory.doubles(rows);
    importance = memory.floats(draws == 1 ? 0 : rows);
    objective = memory.doubles(1);
  }

  /**
   * For {@link #forward} with batches of {@code rows} rows.
   *
   * @throws DeviceCompiler.UncoveredException where {@link #obstacle} has an answer
   */
  static DeviceProgram evaluating(Model model, Launcher launcher, int rows) {
    return new DeviceProgram(model, launcher, rows, 1, false);
  }

  /**
   * For {@link #step} with batches of {@code observations} rows and {@code draws} draws of each.
   *
   * @throws DeviceCompiler.UncoveredException where {@link #obstacle} has an answer
   */
  static DeviceProgram learning(Model model, Launcher launcher, int observations, int draws) {
    return new DeviceProgram(model, launcher, observations * draws, draws, true);
  }

  /** Why a model cannot run so, if that is the case. */
  static Optional<String> obstacle(Model model, Objective objective) {
    if (model.parameters().backend().precision() != Precision.FLOAT32) {
      return Optional.of(
          "CUDA kernels are float32, the model is " + model.parameters().backend().precision());
    }
    try {
      CompiledProgram compiled = DeviceCompiler.compile(model, true);
      if (model.posterior().layers().isEmpty() && !compiled.late().isEmpty()) {
        return Optional.of("without layers, and with a target that libtorch runs, little is left");
      }
      if (objective.draws() > 1 && !(compiled.norms().isEmpty() && compiled.late().isEmpty())) {
        return Optional.of("importance weights come too late for batch norm and for libtorch");
      }
      var table = ProgramTable.of(compiled.layout(), true);
      LaunchShape.chain(table, compiled.chainOps(), 1);
      LaunchShape.branches(table, compiled.branchOps(), 1);
      return Optional.empty();
    } catch (DeviceCompiler.UncoveredException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /**
   * Forward and backward: adds the gradient of minus the mean of the objective, the ELBO or the
   * importance-weighted bound, to {@link FlatParameters#gradient}, and leaves the mean in {@link
   * #objective}.
   */
  void step(Observation observed, Noise noise) {
    Observation x = draws == 1 ? observed : observed.repeat(draws);
    start(x, noise);
    if (compiled.single()) {
      walk(0, ops.size(), x, ProgramSource.FORWARD | ProgramSource.BACKWARD);
    } else {
      there(x);
      branches(x, ProgramSource.FORWARD | ProgramSource.BACKWARD);
      late(x);
      back(x);
    }
    if (draws > 1) {
      launcher.launch(
          ProgramSource.IMPORTANCE_WEIGHTS,
          1,
          WeightKernels.THREADS,
          WeightKernels.THREADS * Double.BYTES,
          address(logWeight),
          rows / draws,
          draws,
          address(importance),
          address(objective));
    }
    weightGradients.add(seed(), draws == 1 ? null : importance, logWeight, objective);
  }

  /**
   * To the end of the chain, with the statistics of the batch before the rows of every batch norm.
   */
  private void there(Observation x) {
    int from = 0;
    for (DeviceNorm norm : compiled.norms()) {
      int next = compiled.layout().start(norm.stage());
      walk(from, next, x, ProgramSource.FORWARD);
      norms.statistics(norm);
      from = next;
    }
    walk(from, compiled.split(), x, ProgramSource.FORWARD);
  }

  /** Segments and the last stage, there and back. */
  private void late(Observation x) {
    if (compiled.lastStage()) {
      List<LiveDeviceSegment> late = LiveDeviceSegment.run(compiled.late(), tape, x, true);
      walk(compiled.last(), ops.size(), x, ProgramSource.FORWARD | ProgramSource.BACKWARD);
      LiveDeviceSegment.backward(late, tape);
    }
  }

  /** Back from there, with the sums of gradients before the rows of every batch norm. */
  private void back(Observation x) {
    int to = compiled.split();
    for (DeviceNorm norm : compiled.norms().reversed()) {
      int next = compiled.layout().start(norm.stage() + 1);
      walk(next, to, x, ProgramSource.BACKWARD);
      norms.gradients(norm, seed());
      to = next;
    }
    walk(0, to, x, ProgramSource.BACKWARD);
  }

  /** Log-weights alone, batch norms with their running averages. */
  void forward(Observation x, Noise noise) {
    start(x, noise);
    compiled.norms().forEach(norms::averages);
    walk(0, compiled.split(), x, ProgramSource.FORWARD);
    branches(x, ProgramSource.FORWARD);
    if (compiled.lastStage()) {
      LiveDeviceSegment.run(compiled.late(), tape, x, false);
      walk(compiled.last(), ops.size(), x, ProgramSource.FORWARD);
    }
  }

  /** The mean objective of the last step, a double. */
  Tensor objective() {
    return objective;
  }

  /** Δ + log p(x, z) of every row, doubles. */
  Tensor logWeight() {
    return logWeight.narrow(0, 0, rows);
  }

  /** log p(x, z) of every row, doubles. */
  Tensor logJoint() {
    return logJoint;
  }

  /** What the last layer gave, {@code [rows, d]}; a view. */
  Tensor z() {
    return tape.value(compiled.z());
  }

  /** What libtorch does. */
  List<String> segments() {
    return compiled.late().stream().map(DeviceSegment::what).toList();
  }

  private void start(Observation x, Noise noise) {
    if (x.rows() != rows) {
      throw new IllegalArgumentException("x: expected " + rows + " rows, got " + x.rows());
    }
    noise.fill(regions);
    launcher.launch(
        ProgramSource.PREPARE,
        prepareBlocks,
        PREPARE_THREADS,
        PREPARE_SHARED,
        address(prepareJobs),
        address(flat.effective()),
        address(prepared));
  }

  /** Every row along the operations from {@code from} to {@code to - 1}. */
  private void walk(int from, int to, Observation x, int way) {
    int parts = from == 0 ? 0 : from == compiled.last() ? 1 + compiled.branches() : 1;
    program(chain, 0L, from, to, parts, x, way);
  }

  /** Every row along every branch. */
  private void branches(Observation x, int way) {
    if (compiled.branches() > 0) {
      program(branches, address(starts), compiled.split(), compiled.last(), 0, x, way);
    }
  }

  /**
   * One launch.
   *
   * @param branches where branches start, 0 for the chain
   * @param parts of the log-weight that are there already
   */
  private void program(
      LaunchShape shape, long branches, int from, int to, int parts, Observation x, int way) {
    launcher.launch(
        ProgramSource.PROGRAM,
        shape.blocks(),
        shape.threads(),
        shape.sharedBytes(),
        address(words),
        compiled.layout().variables().size(),
        branches,
        from,
        to,
        parts,
        way,
        address(flat.effective()),
        address(prepared),
        address(constants),
        images(x),
        tape.address(),
        address(logWeight),
        address(logJoint),
        rows,
        shape.tile(),
        table.width(),
        seed());
  }

  /** Where the observed pictures are, 0 where nobody looks at them. */
  private long images(Observation x) {
    if (ops.stream().noneMatch(op -> op.kind().observes())) {
      return 0;
    }
    if (!(x instanceof Observation.Batch(Tensor images))) {
      throw new IllegalArgumentException("x: expected a batch of images, got no observation");
    }
    Shapes.require("x", images, rows, 1, Images.SIDE, Images.SIDE);
    Shapes.requireSameKind("x", images, flat.values());
    return address(images.contiguous());
  }

  /** The gradient of the loss, minus the mean, in every log-weight. */
  private float seed() {
    return -1f / rows;
  }

  private static int[] concatenate(List<int[]> parts) {
    return parts.stream().flatMapToInt(java.util.Arrays::stream).toArray();
  }

  private static long address(Tensor tensor) {
    return tensor.data_ptr().address();
  }

  @Override
  public void close() {
    memory.close();
  }
}
