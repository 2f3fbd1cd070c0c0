package cifvi.engine.fused;

import static cifvi.engine.fused.Tape.STRIDE;

import cifvi.distribution.Observation;
import cifvi.tensor.CounterRng;
import cifvi.tensor.Rng;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import java.util.Arrays;

/**
 * Log-weights by the kernels that train, without their way back: the forward direction, and the
 * inverse one with u drawn from r. Sums of log-weights are in float64.
 */
public final class FusedLogWeights implements LogWeights {
  private static final float[] NO_GRADIENT = {};

  private final Program program;
  private final boolean explicit;
  private final Pool pool;
  private final Tape[] tapes;

  /**
   * The weights of a model whose every part has a kernel.
   *
   * @throws IllegalArgumentException where a part has none
   */
  public FusedLogWeights(Model model, int threads) {
    program = Compiler.compile(model);
    explicit = model.posterior().explicit();
    pool = new Pool(threads);
    tapes = new Tape[threads];
    Arrays.setAll(tapes, t -> new Tape(program.layout(), NO_GRADIENT));
  }

  @Override
  public Draws draw(Observation x, Rng rng) {
    int rows = Math.toIntExact(x.rows());
    int d = program.z().size();
    var draws = new Draws(new double[rows * d], new double[rows], new double[rows]);
    forEachBlock(
        rows,
        counter(rng),
        (tape, first) -> {
          program.forward(tape);
          for (int i = 0; i < tape.rows; i++) {
            draws.logJoint()[first + i] = tape.logJoint[i];
            draws.delta()[first + i] = tape.logWeight[i] - tape.logJoint[i];
            for (int c = 0; c < d; c++) {
              draws.z()[(first + i) * d + c] = tape.values[program.z().at() + c * STRIDE + i];
            }
          }
        });
    return draws;
  }

  @Override
  public double[] backward(double[] z, Observation x, long paths, Rng rng) {
    double[] weights = new double[Math.toIntExact(x.rows() * paths)];
    int d = program.z().size();
    forEachBlock(
        weights.length,
        counter(rng),
        (tape, first) -> {
          for (int c = 0; c < d; c++) {
            int at = program.z().at() + c * STRIDE;
            for (int i = 0; i < tape.rows; i++) {
              tape.values[at + i] = (float) z[(int) ((first + i) / paths) * d + c];
            }
            Arrays.fill(tape.values, at + tape.rows, at + tape.padded, 0);
          }
          program.inverse(tape);
          System.arraycopy(tape.logWeight, 0, weights, first, tape.rows);
        });
    return weights;
  }

  private interface Block {
    void run(Tape tape, int first);
  }

  private void forEachBlock(int rows, CounterRng rng, Block block) {
    program.weights().refresh();
    program.layout().preparations().forEach(Runnable::run);
    var split = new Rows(rows, tapes.length);
    pool.run(
        part -> {
          int last = split.first(part + 1);
          for (int row = split.first(part); row < last; row += STRIDE) {
            tapes[part].start(rng, row, Math.min(STRIDE, last - row));
            block.run(tapes[part], row);
          }
        });
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
    return explicit;
  }

  @Override
  public void close() {
    pool.close();
  }
}
