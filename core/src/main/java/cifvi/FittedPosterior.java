package cifvi;

import cifvi.parameter.ParameterSpace;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.LogWeights;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * q(z) ≈ p(z) / ∫ p, the approximation of a posterior: draws, their weights, and how good the bound
 * got. For any number of threads. Its native memory is freed by {@link #close}, or once nobody
 * refers to it.
 */
public final class FittedPosterior implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

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
    LogWeights weights = fitted.weights(threads);
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
    var rng = new CounterRng(fitted.model().parameters().backend(), seed, Purpose.SAMPLE);
    lock.lock();
    try {
      Fitted.Weighed drawn = fitted.draw(weights, count, rng);
      return new Draws(space, drawn.z(), drawn.logP(), drawn.logG());
    } finally {
      lock.unlock();
    }
  }

  /** How the fit went. */
  public Report report() {
    return report;
  }

  /** How many numbers were trained. */
  public long size() {
    return fitted.model().parameters().count();
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
