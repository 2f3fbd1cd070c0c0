package cifvi;

import cifvi.diagnostics.Approximation;
import cifvi.diagnostics.IndexWorth;
import cifvi.diagnostics.Trust;
import cifvi.distribution.Observation;
import cifvi.parameter.Outputs;
import cifvi.parameter.ParameterSpace;
import cifvi.start.internal.Frame;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;

/**
 * q(z) ≈ p(z) / ∫ p, the approximation of a posterior: draws, their weights, and how good the bound
 * got. For any number of threads. Its native memory is freed by {@link #close}, or once nobody
 * refers to it.
 */
public final class FittedPosterior implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private static final int TRUST_DRAWS = 4000;

  /** Paths back at a time, which bounds the memory of many. */
  private static final int CHUNK = 10_000;

  private final ParameterSpace space;
  private final Outputs outputs;
  private final String identity;
  private final long seed;
  private final Fitted fitted;
  private final Report report;
  private final LogWeights weights;
  private final ReentrantLock lock = new ReentrantLock();
  private final Cleaner.Cleanable memory;

  FittedPosterior(
      ParameterSpace space,
      @Nullable LogDensity density,
      long seed,
      Fitted fitted,
      Report report,
      int threads) {
    this.space = space;
    outputs = density == null ? space : density.outputs();
    identity = density == null ? "" : density.identity();
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
      return new Draws(outputs, drawn.z(), drawn.logP(), drawn.logG(), seed);
    } finally {
      lock.unlock();
    }
  }

  /** Whether to believe it, from 4000 draws: see {@link #trust(Draws)}. */
  public Trust trust() {
    return trust(draws(TRUST_DRAWS));
  }

  /**
   * Whether to believe draws of this posterior. For a family with an index it follows 16 paths back
   * from every draw, and calls the density a few thousand times ({@link Trust#calls}).
   *
   * @throws IllegalStateException where nobody knows the density any more: load it with its density
   */
  public Trust trust(Draws draws) {
    if (fitted.score() == null) {
      throw new IllegalStateException(
          "whether to believe a posterior follows from its density, which nobody knows any more:"
              + " load it with FittedPosterior.load(file, density)");
    }
    lock.lock();
    try {
      return draws.assessment(new Seen(), report.family().flow(), seed).run();
    } finally {
      lock.unlock();
    }
  }

  /** The posterior as diagnostics see it, on the space of z. */
  private final class Seen implements Approximation {
    private final Frame toV = fitted.frame().inverse();

    @Override
    public int dimensions() {
      return toV.dimensions();
    }

    @Override
    public boolean explicit() {
      return weights.explicit();
    }

    private double[] v(double[] z) {
      int d = dimensions();
      double[] v = new double[z.length];
      for (int i = 0; i < z.length / d; i++) {
        System.arraycopy(toV.toZ(z, i), 0, v, i * d, d);
      }
      return v;
    }

    @Override
    public void logDensities(double[] z, double[] logP, double @Nullable [] gradients) {
      int d = dimensions();
      double[] byV = gradients == null ? null : new double[gradients.length];
      fitted.logDensities(v(z), logP, byV);
      for (int i = 0; i < logP.length; i++) {
        logP[i] += toV.logDet();
        if (gradients != null && byV != null) {
          toV.pullBack(Arrays.copyOfRange(byV, i * d, (i + 1) * d), gradients, i);
        }
      }
    }

    @Override
    public double[] backward(double[] z, int paths, long seed) {
      var backend = fitted.model().parameters().backend();
      var rng = new CounterRng(backend, seed, Purpose.MARGINAL);
      int d = dimensions();
      int points = z.length / d;
      double[] v = v(z);
      double[] all = new double[points * paths];
      int chunk = Math.max(1, CHUNK / paths);
      for (int from = 0; from < points; from += chunk) {
        int to = Math.min(points, from + chunk);
        double[] some = Arrays.copyOfRange(v, from * d, to * d);
        try (var _ = new PointerScope()) {
          Observation x = Observation.none(to - from);
          double[] logG = weights.backward(some, x, paths, rng.fromRow((long) from * paths));
          System.arraycopy(logG, 0, all, from * paths, logG.length);
        }
      }
      for (int i = 0; i < all.length; i++) {
        all[i] += toV.logDet();
      }
      return all;
    }

    @Override
    public List<Estimate> indexWorth(int draws) {
      var backend = fitted.model().parameters().backend();
      var rng = new CounterRng(backend, seed, Purpose.EVALUATE);
      UnaryOperator<double[]> logP =
          v -> {
            double[] log = new double[v.length / dimensions()];
            fitted.logDensities(v, log, null);
            return log;
          };
      return IndexWorth.of(fitted.model().posterior(), logP, draws, rng);
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

  /** What is unknown, as it was declared. */
  public ParameterSpace parameters() {
    return space;
  }

  /** Writes everything but the density into one file, in the safetensors format. */
  public void save(Path file) throws IOException {
    PosteriorFile.write(file, this);
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

  Outputs outputs() {
    return outputs;
  }

  String identity() {
    return identity;
  }

  long seed() {
    return seed;
  }

  Fitted fitted() {
    return fitted;
  }

  @Override
  public void close() {
    memory.clean();
  }
}
