package cifvi.engine.internal.fused;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.math.AdamKernel;
import cifvi.engine.internal.fused.math.Transpose;
import cifvi.engine.internal.fused.math.WeightGradient;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.plan.Bound;
import cifvi.engine.internal.plan.Plan;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Adam;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Optimiser;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;

/**
 * Training steps as hand-written kernels on several threads. Every thread works through its own
 * rows, block by block, forward and backward while the block is in the cache; where a part of the
 * model has no kernel, or rows depend on each other, stage by stage instead ({@link StagedPass}).
 * The gradients of the threads are added in a fixed order.
 */
public final class FusedEngine implements StepEngine {
  /** Numbers behind the last parameter that a panel of {@link WeightGradient} may touch. */
  private static final int MARGIN = Transpose.PANEL;

  private final Model model;
  private final Bound bound;
  private final StepOptions options;
  private final CounterRng noise;
  private final KernelSchedule schedule;
  private final Pool pool;
  private final Tape[] tapes;
  private final double[] sums;
  private final float[][] gradients;
  private final @Nullable StagedPass staged;
  private final Adam adam;
  private final AdamKernel update;

  // Made once, since a step allocates nothing.
  private final Pool.Task prepare = this::prepare;
  private final Pool.Task rows = this::rows;
  private final Pool.Task reduce;
  private final Pool.Task move;

  private boolean tried; // a target that is libtorch's, for its gradient

  // The arguments of the step that runs.
  private CounterRng current;
  private MemorySegment images = MemorySegment.NULL;
  private int batch;
  private float factor;
  private double learningRate;

  /**
   * An engine with counter-based noise.
   *
   * @throws IllegalArgumentException where a part of the model has no kernel
   */
  public FusedEngine(Model model, Objective objective, StepOptions options) {
    this(model, Compiler.plan(model, objective), options);
  }

  private FusedEngine(Model model, Plan plan, StepOptions options) {
    this(model, Compiler.compile(plan, true), plan.bound(), options);
  }

  /** The same with a schedule that was made of the model already. */
  FusedEngine(Model model, KernelSchedule schedule, Bound bound, StepOptions options) {
    this.model = model;
    this.schedule = schedule;
    this.bound = bound;
    this.options = options;
    boolean whole = schedule.whole() && bound.isMean();
    noise = new CounterRng(model.parameters().backend(), options.seed(), Purpose.TRAIN);
    current = noise;
    var flat = model.parameters().flat();
    adam = new Adam(model.parameters().backend(), flat);
    int threads = options.threads();
    pool = new Pool(threads);
    sums = new double[threads];
    gradients = new float[threads][Math.toIntExact(flat.size()) + MARGIN];
    tapes = new Tape[whole ? threads : 0];
    Arrays.setAll(tapes, t -> new Tape(schedule.layout(), gradients[t]));
    staged = whole ? null : new StagedPass(schedule, model.parameters().backend(), pool, gradients);
    update = new AdamKernel(flat, adam, schedule.weights().mask, gradients, schedule.segmented());
    reduce = update::sum;
    move = part -> update.update(part, factor, learningRate);
  }

  @Override
  public StepInfo step(long step, double learningRate, Observation x) {
    if (staged == null) {
      return run(step, learningRate, x, null);
    }
    if (!tried) {
      model.requireGradient(x);
      tried = true;
    }
    model.parameters().training(true);
    try (var _ = new PointerScope()) {
      return run(step, learningRate, x, staged);
    } finally {
      model.parameters().training(false);
    }
  }

  private StepInfo run(long step, double learningRate, Observation x, @Nullable StagedPass staged) {
    batch = Math.toIntExact(x.rows());
    current = noise.step(step);
    schedule.weights().refresh();
    schedule.observe(x);
    pool.run(prepare);
    double sum = staged == null ? blocks(x) : stages(staged, x);
    pool.run(reduce);
    double value = sum / batch;
    double norm = update.norm();
    boolean finite = Double.isFinite(value) && Double.isFinite(norm);
    if (finite) {
      factor = (float) options.factor(norm);
      this.learningRate = learningRate;
      update.count();
      pool.run(move);
      model.parameters().stepDone();
    }
    return new StepInfo(step, value, norm, finite);
  }

  private void prepare(int part) {
    Arrays.fill(gradients[part], 0);
    var preparations = schedule.layout().preparations;
    for (int i = part; i < preparations.size(); i += pool.threads()) {
      preparations.get(i).run();
    }
  }

  /** The sum of all log-weights, every block having been forward and backward. */
  private double blocks(Observation x) {
    try (var _ = new PointerScope()) {
      images = schedule.images(x);
      pool.run(rows);
    }
    double sum = 0;
    for (double part : sums) {
      sum += part;
    }
    return sum;
  }

  /** The sum of the bounds of all rows of x, the whole batch having been forward and backward. */
  private double stages(StagedPass staged, Observation x) {
    model.parameters().flat().gradient().zero_();
    var rows = staged.forward(x, bound.draws(), current, true);
    var value = bound.value(rows.logWeights());
    staged.backward(value.gradient());
    return value.sum();
  }

  /** The rows of one thread, forward and backward. */
  private void rows(int part) {
    Tape tape = tapes[part];
    int last = pool.firstRow(part + 1, batch);
    double sum = 0;
    for (int row = pool.firstRow(part, batch); row < last; row += Tape.STRIDE) {
      tape.start(current, row, Math.min(Tape.STRIDE, last - row), 1);
      schedule.show(images, tape);
      schedule.kernels().forward(tape);
      sum += tape.sum();
      tape.startBackward(-1f / batch); // the loss is minus the mean
      schedule.kernels().backward(tape);
    }
    sums[part] = sum;
  }

  @Override
  public double waited() {
    return pool.waited();
  }

  @Override
  public Optimiser optimiser() {
    return adam;
  }

  @Override
  public String name() {
    return "fused";
  }

  @Override
  public void close() {
    pool.close();
    adam.close();
  }
}
