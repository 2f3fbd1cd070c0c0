package cifvi.engine.fused;

import static cifvi.engine.fused.Tape.STRIDE;

import cifvi.distribution.Observation;
import cifvi.tensor.CounterRng;
import cifvi.tensor.Rng;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;

/**
 * Log-weights by the kernels that train, without their way back: the forward direction, and the
 * inverse one with u drawn from r. Sums of log-weights are in float64.
 */
public final class FusedLogWeights implements LogWeights {
  private static final float[] NO_GRADIENT = {};

  private final Model model;
  private final Program program;
  private final Pool pool;
  private final Tape[] tapes;
  private final StagedPass staged;

  /** The weights of a model that {@link Coverage} has nothing against. */
  public FusedLogWeights(Model model, int threads) {
    this.model = model;
    program = Compiler.compile(model);
    pool = new Pool(threads);
    tapes = new Tape[program.whole() ? threads : 0];
    Arrays.setAll(tapes, t -> new Tape(program.layout(), NO_GRADIENT));
    float[][] none = new float[threads][0];
    staged = new StagedPass(program, model.parameters().backend(), pool, none);
  }

  @Override
  public Draws draw(Observation x, Rng rng) {
    int rows = Math.toIntExact(x.rows());
    int d = program.z().size();
    var draws = new Draws(new double[rows * d], new double[rows], new double[rows]);
    if (program.whole()) {
      forEachBlock(
          rows,
          counter(rng),
          tape -> {
            program.kernels().forward(tape);
            read(tape, draws);
          });
    } else {
      prepare();
      model.parameters().training(false);
      try (var _ = new PointerScope();
          var _ = new NoGradGuard()) {
        staged.forward(x, counter(rng), false).tapes().forEach(tape -> read(tape, draws));
      }
    }
    return draws;
  }

  private void read(Tape tape, Draws draws) {
    int d = program.z().size();
    int first = tape.firstRow();
    for (int i = 0; i < tape.rows; i++) {
      draws.logJoint()[first + i] = tape.logJoint[i];
      draws.delta()[first + i] = tape.logWeight[i] - tape.logJoint[i];
      for (int c = 0; c < d; c++) {
        draws.z()[(first + i) * d + c] = tape.values[program.z().at() + c * STRIDE + i];
      }
    }
  }

  /** Paths back through a model with segments are eager. */
  @Override
  public double[] backward(double[] z, Observation x, long paths, Rng rng) {
    if (!program.whole()) {
      return LogWeights.eager(model).backward(z, x, paths, rng);
    }
    double[] weights = new double[Math.toIntExact(x.rows() * paths)];
    int d = program.z().size();
    forEachBlock(
        weights.length,
        counter(rng),
        tape -> {
          int first = tape.firstRow();
          for (int c = 0; c < d; c++) {
            int at = program.z().at() + c * STRIDE;
            for (int i = 0; i < tape.rows; i++) {
              tape.values[at + i] = (float) z[(int) ((first + i) / paths) * d + c];
            }
            Arrays.fill(tape.values, at + tape.rows, at + tape.padded, 0);
          }
          program.kernels().inverse(tape);
          System.arraycopy(tape.logWeight, 0, weights, first, tape.rows);
        });
    return weights;
  }

  private interface Block {
    void run(Tape tape);
  }

  private void forEachBlock(int rows, CounterRng rng, Block block) {
    prepare();
    var split = new Rows(rows, tapes.length);
    pool.run(
        part -> {
          int last = split.first(part + 1);
          for (int row = split.first(part); row < last; row += STRIDE) {
            tapes[part].start(rng, row, Math.min(STRIDE, last - row));
            block.run(tapes[part]);
          }
        });
  }

  private void prepare() {
    program.weights().refresh();
    program.layout().preparations().forEach(Runnable::run);
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
