package cifvi.engine.internal.fused;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.tensor.CounterRng;
import cifvi.tensor.Rng;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;

/**
 * Log-weights by the kernels that train, without their backward pass: the forward direction, and
 * the inverse one with u drawn from r. Sums of log-weights are in float64.
 */
public final class FusedLogWeights implements LogWeights {
  private static final float[] NO_GRADIENT = {};

  private final Model model;
  private final KernelSchedule schedule;
  private final Pool pool;
  private final Tape[] tapes;
  private final StagedPass staged;

  /** The log-weights of a model that {@link Coverage} has nothing against. */
  public FusedLogWeights(Model model, int threads) {
    this(model, Compiler.compile(Compiler.plan(model, new Objective.Elbo()), false), threads);
  }

  /** The same with a schedule that was made of the model already. */
  FusedLogWeights(Model model, KernelSchedule schedule, int threads) {
    this.model = model;
    this.schedule = schedule;
    pool = new Pool(threads);
    tapes = new Tape[schedule.whole() || schedule.reversible() ? threads : 0];
    Arrays.setAll(tapes, t -> new Tape(schedule.layout(), NO_GRADIENT));
    float[][] none = new float[threads][0];
    staged = new StagedPass(schedule, model.parameters().backend(), pool, none);
  }

  @Override
  public Draws draw(Observation x, long times, Rng rng) {
    int rows = Math.toIntExact(x.rows() * times);
    int d = schedule.z().size();
    schedule.observe(x);
    var draws = new Draws(new double[rows * d], new double[rows], new double[rows]);
    if (schedule.whole()) {
      forEachBlock(
          x,
          times,
          counter(rng),
          tape -> {
            schedule.kernels().forward(tape);
            read(tape, draws);
          });
    } else {
      prepare();
      model.parameters().training(false);
      try (var _ = new PointerScope();
          var _ = new NoGradGuard()) {
        staged.forward(x, times, counter(rng), false).tapes().forEach(tape -> read(tape, draws));
      }
    }
    return draws;
  }

  private void read(Tape tape, Draws draws) {
    int d = schedule.z().size();
    int first = tape.firstRow();
    for (int i = 0; i < tape.rows; i++) {
      draws.logJoint()[first + i] = tape.logJoint[i];
      draws.delta()[first + i] = tape.logWeight[i] - tape.logJoint[i];
      for (int c = 0; c < d; c++) {
        draws.z()[(first + i) * d + c] = tape.values[schedule.z().at() + c * STRIDE + i];
      }
    }
  }

  /** Paths back through segments of the posterior are eager. */
  @Override
  public double[] backward(double[] z, Observation x, long paths, Rng rng) {
    if (!schedule.reversible()) {
      return LogWeights.eager(model).backward(z, x, paths, rng);
    }
    double[] logWeights = new double[Math.toIntExact(x.rows() * paths)];
    forEachBlock(
        x,
        paths,
        counter(rng),
        tape -> {
          write(z, paths, tape);
          schedule.kernels().inverse(tape);
          System.arraycopy(tape.logWeight, 0, logWeights, tape.firstRow(), tape.rows);
        });
    return logWeights;
  }

  /** Puts the z that each path begins with on the tape. */
  private void write(double[] z, long paths, Tape tape) {
    int d = schedule.z().size();
    for (int c = 0; c < d; c++) {
      int at = schedule.z().at() + c * STRIDE;
      for (int i = 0; i < tape.rows; i++) {
        tape.values[at + i] = (float) z[(int) ((tape.firstRow() + i) / paths) * d + c];
      }
      Arrays.fill(tape.values, at + tape.rows, at + tape.padded, 0);
    }
  }

  /** Takes every block of the rows through kernels, {@code copies} rows for every one of x. */
  private void forEachBlock(Observation x, long copies, CounterRng rng, Consumer<Tape> block) {
    prepare();
    int rows = Math.toIntExact(x.rows() * copies);
    try (var _ = new PointerScope()) {
      MemorySegment images = schedule.images(x);
      pool.run(
          part -> {
            int last = pool.firstRow(part + 1, rows);
            for (int row = pool.firstRow(part, rows); row < last; row += STRIDE) {
              Tape tape = tapes[part];
              tape.start(rng, row, Math.min(STRIDE, last - row), copies);
              schedule.show(images, tape);
              block.accept(tape);
            }
          });
    }
  }

  private void prepare() {
    schedule.weights().refresh();
    schedule.layout().preparations.forEach(Runnable::run);
  }

  private static CounterRng counter(Rng rng) {
    if (rng instanceof CounterRng counter) {
      return counter;
    }
    throw new IllegalArgumentException(
        "rng: the fused engine needs counter-based noise, got " + rng.getClass().getSimpleName());
  }

  @Override
  public boolean explicit() {
    return model.posterior().explicit();
  }

  @Override
  public void close() {
    pool.close();
  }
}
