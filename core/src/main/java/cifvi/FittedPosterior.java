package cifvi;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.parameter.ParameterSpace;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.LogWeights;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.bytedeco.javacpp.PointerScope;

/**
 * q(z) ≈ p(z) / ∫ p, the approximation of a posterior: draws, their weights, and how good the bound
 * got. For any number of threads. Its native memory is freed by {@link #close}, or once nobody
 * refers to it.
 */
public final class FittedPosterior implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final int CHUNK = 10_000;

  private final ParameterSpace space;
  private final long seed;
  private final Fitted fitted;
  private final Report report;
  private final LogWeights weights;
  private final ReentrantLock lock = new ReentrantLock();
  private final Cleaner.Cleanable memory;

  FittedPosterior(ParameterSpace space, long seed, Fitted fitted, Report report, int threads) {
    this.space = space;
    this.seed = seed;
    this.fitted = fitted;
    this.report = report;
    LogWeights weights = Engines.logWeights(fitted.engine(), fitted.model(), threads);
    this.weights = weights;
    memory =
        CLEANER.register(
            this,
            () -> {
              weights.close();
              fitted.close();
            });
  }

  /** {@code count} draws, the same every time. */
  public Draws draws(int count) {
    return draws(count, seed);
  }

  /** {@code count} draws with noise of this seed. */
  public Draws draws(int count, long seed) {
    if (count < 1) {
      throw new IllegalArgumentException("count: expected at least 1, got " + count);
    }
    Frame frame = fitted.frame();
    int d = frame.dimensions();
    double[] z = new double[Math.multiplyExact(count, d)];
    double[] logP = new double[count];
    double[] logG = new double[count];
    var rng = new CounterRng(fitted.model().parameters().backend(), seed, Purpose.SAMPLE);
    lock.lock();
    try {
      for (int from = 0; from < count; from += CHUNK) {
        int rows = Math.min(CHUNK, count - from);
        LogWeights.Draws drawn;
        try (var _ = new PointerScope()) {
          drawn = weights.draw(Observation.none(rows), 1, rng.fromRow(from));
        }
        for (int i = 0; i < rows; i++) {
          System.arraycopy(frame.toZ(drawn.z(), i), 0, z, (from + i) * d, d);
          logP[from + i] = fitted.scored() ? drawn.logJoint()[i] - frame.logDet() : Double.NaN;
          logG[from + i] = -drawn.delta()[i] - frame.logDet();
        }
      }
    } finally {
      lock.unlock();
    }
    return new Draws(space, z, logP, logG);
  }

  /** How the fit went. */
  public Report report() {
    return report;
  }

  /** What the numbers of a draw stand for. */
  public ParameterSpace parameters() {
    return space;
  }

  /** Writes everything but the density into one file, in the safetensors format. */
  public void save(Path file) throws IOException {
    PosteriorFile.write(file, space, seed, fitted, report);
  }

  /**
   * A posterior that was saved, which gives the same draws for the same seed. Nobody knows the
   * density of its draws: {@link Draws#logP} is NaN.
   *
   * @throws IOException where the file is damaged or of another kind, with the reason
   */
  public static FittedPosterior load(Path file) throws IOException {
    return PosteriorFile.read(file, null);
  }

  /** The same with the density that was fitted, so that draws have weights. */
  public static FittedPosterior load(Path file, LogDensity density) throws IOException {
    return PosteriorFile.read(file, density);
  }

  @Override
  public void close() {
    memory.clean();
  }
}
