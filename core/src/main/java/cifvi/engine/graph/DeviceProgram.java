package cifvi.engine.graph;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.vi.Model;
import cifvi.vi.Objective;
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
    draws = objective.draws();
    rows = observations * draws;
    FlatParameters flat = model.parameters().flat();
    compiled = DeviceCompiler.compile(model, learn);
    ProgramLayout layout = compiled.layout();
    var table = ProgramTable.of(layout, learn);
    memory = new ProgramMemory(model.parameters().backend());
    tape = new TapeView(memory.floats((long) table.columns() * rows), table, rows);
    regions = tape.noise(layout.noise(), memory);
    prepare = new PrepareKernel(launcher, flat, layout, memory);
    Tensor prepared = prepare.prepared();
    kernel = new ProgramKernel(launcher, flat, compiled, tape, prepared, memory);
    norms = new NormKernels(launcher, flat, tape, prepared);
    decoder = compiled.decoder().map(s -> new DecoderPass(s, launcher, flat, tape, memory, learn));
    importance =
        switch (objective) {
          case Objective.Elbo() -> null;
          case Objective.Iwae iwae when draws > 1 ->
              new ImportanceKernel(launcher, observations, iwae, memory);
          case Objective.Iwae _ -> null; // of one draw, which is the ELBO
        };
    weightGradients = new WeightKernels(launcher, flat, layout.maps(), tape, prepared, memory);
    mean = memory.doubles(1);
  }

  /**
   * For {@link #forward} with batches of {@code rows} rows.
   *
   * @throws DeviceCompiler.UncoveredException where {@link Coverage} has an obstacle
   */
  static DeviceProgram evaluating(Model model, Launcher launcher, int rows) {
    return new DeviceProgram(model, launcher, rows, new Objective.Elbo(), false);
  }

  /**
   * For {@link #step} with batches of {@code observations} rows.
   *
   * @throws DeviceCompiler.UncoveredException where {@link Coverage} has an obstacle
   */
  static DeviceProgram learning(
      Model model, Launcher launcher, int observations, Objective objective) {
    return new DeviceProgram(model, launcher, observations, objective, true);
  }

  /**
   * Forward and backward: adds the gradient of minus the mean of the objective to {@link
   * FlatParameters#gradient}, and leaves the mean in {@link #objective}.
   */
  void step(Observation observed, Noise noise) {
    Observation x = draws == 1 ? observed : observed.repeat(draws);
    start(x, noise);
    if (compiled.single()) {
      kernel.walk(0, compiled.end(), x, THERE_AND_BACK);
    } else {
      there(x);
      kernel.branches(x, THERE_AND_BACK);
      late(x);
      back(x);
    }
    Tensor weights = importance == null ? null : importance.run(kernel.logWeight(), mean);
    weightGradients.add(kernel.seed(), weights, kernel.logWeight(), mean);
  }

  /**
   * To the end of the chain, with the statistics of the batch before the rows of every batch norm.
   */
  private void there(Observation x) {
    int from = 0;
    for (DeviceNorm norm : compiled.norms()) {
      int next = compiled.layout().start(norm.stage());
      kernel.walk(from, next, x, ProgramSource.FORWARD);
      norms.statistics(norm);
      from = next;
    }
    kernel.walk(from, compiled.split(), x, ProgramSource.FORWARD);
  }

  /** Segments and the last stage, there and back. */
  private void late(Observation x) {
    if (compiled.lastStage()) {
      List<LiveDeviceSegment> late = LiveDeviceSegment.run(compiled.late(), tape, x, true);
      Optional<DecoderPass.Live> decoded = decoder.map(d -> d.forward(x));
      kernel.walk(compiled.last(), compiled.end(), x, THERE_AND_BACK);
      LiveDeviceSegment.backward(late, tape);
      decoder.ifPresent(d -> d.backward(decoded.orElseThrow()));
    }
  }

  /** Back from there, with the sums of gradients before the rows of every batch norm. */
  private void back(Observation x) {
    int to = compiled.split();
    for (DeviceNorm norm : compiled.norms().reversed()) {
      int next = compiled.layout().start(norm.stage() + 1);
      kernel.walk(next, to, x, ProgramSource.BACKWARD);
      norms.gradients(norm, kernel.seed());
      to = next;
    }
    kernel.walk(0, to, x, ProgramSource.BACKWARD);
  }

  /** Log-weights alone, batch norms with their running averages. */
  void forward(Observation x, Noise noise) {
    start(x, noise);
    compiled.norms().forEach(norms::averages);
    kernel.walk(0, compiled.split(), x, ProgramSource.FORWARD);
    kernel.branches(x, ProgramSource.FORWARD);
    if (compiled.lastStage()) {
      LiveDeviceSegment.run(compiled.late(), tape, x, false);
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
      ProgramLayout layout = DeviceCompiler.compile(model, learn).layout();
      try (var _ = new PointerScope();
          var newer = new ProgramMemory(model.parameters().backend())) {
        int[] words = ProgramTable.of(layout, learn).words();
        kernel.refresh(newer.integers(words), newer.constants(layout.constants()));
      }
      loads = now;
    }
  }

  private void start(Observation x, Noise noise) {
    if (x.rows() != rows) {
      throw new IllegalArgumentException("x: expected " + rows + " rows, got " + x.rows());
    }
    noise.fill(regions);
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
