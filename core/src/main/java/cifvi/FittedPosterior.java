package cifvi;

import cifvi.diagnostics.Assessment;
import cifvi.diagnostics.ReferenceDraws;
import cifvi.diagnostics.Trust;
import cifvi.diagnostics.WideNoise;
import cifvi.parameter.Outputs;
import cifvi.parameter.ParameterSpace;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.LogWeights;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * q(z) ≈ p(z) / ∫ p, the approximation of a posterior: draws, their weights, and how good the bound
 * got. For any number of threads. Its native memory is freed by {@link #close}, or once nobody
 * refers to it.
 */
public final class FittedPosterior implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private static final int TRUST_DRAWS = 4000;

  private final ParameterSpace space;
  private final Outputs outputs;
  private final String identity;
  private final long seed;
  private final Fitted fitted;
  private final Report report;
  private final List<Draws> others;
  private final LogWeights weights;
  private final ReentrantLock lock = new ReentrantLock();
  private final Cleaner.Cleanable memory;

  /**
   * @param others draws of the starts that were not kept
   */
  FittedPosterior(
      ParameterSpace space,
      @Nullable LogDensity density,
      long seed,
      Fitted fitted,
      Report report,
      List<Draws> others,
      int threads) {
    this.space = space;
    outputs = density == null ? space : density.outputs();
    identity = density == null ? "" : density.identity();
    this.others = List.copyOf(others);
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
    return trust(draws, null);
  }

  /**
   * The same beside draws of p from elsewhere, whose numbers have the names of {@link Draws#names}.
   */
  public Trust trust(Draws draws, @Nullable ReferenceDraws reference) {
    if (fitted.score() == null) {
      throw new IllegalStateException(
          "whether to believe a posterior follows from its density, which nobody knows any more:"
              + " load it with FittedPosterior.load(file, density)");
    }
    var known = new ArrayList<>(draws.telling());
    others.forEach(start -> known.retainAll(Set.copyOf(start.finite())));
    lock.lock();
    try {
      return new Assessment(
              new FittedApproximation(fitted, weights, seed),
              report.family().flow(),
              known,
              draws.drawn(known),
              wide(draws.size(), known),
              others.stream().map(start -> start.drawn(known)).toList(),
              reference == null ? null : placed(reference),
              seed)
          .run();
    } finally {
      lock.unlock();
    }
  }

  /** As many draws by noise that reaches further out; the caller holds the lock. */
  private Assessment.Wide wide(int count, List<String> names) {
    var rng = new CounterRng(fitted.model().parameters().backend(), seed, Purpose.EVALUATE);
    WideNoise noise = WideNoise.of(fitted.model().posterior(), rng);
    double[] logRatios = noise.logRatios(count);
    try (LogWeights eager = fitted.eager()) {
      Fitted.Weighed drawn = fitted.draw(eager, count, noise);
      for (int i = 0; i < count; i++) {
        drawn.logG()[i] += logRatios[i];
      }
      var draws = new Draws(outputs, drawn.z(), drawn.logP(), drawn.logG(), seed);
      return new Assessment.Wide(draws.drawn(names), logRatios);
    }
  }

  /** With its draws on the unconstrained space, where it has all parameters. */
  private Assessment.Reference placed(ReferenceDraws reference) {
    List<String> names = outputs.parameterNames();
    if (names.isEmpty()) {
      return new Assessment.Reference(
          reference, null, "this density does not tell the unconstrained values of its parameters");
    }
    List<String> missing =
        names.stream().filter(name -> !reference.names().contains(name)).toList();
    if (!missing.isEmpty()) {
      return new Assessment.Reference(
          reference, null, "the reference has no " + String.join(", ", missing));
    }
    int[] at = names.stream().mapToInt(reference.names()::indexOf).toArray();
    int d = space.unconstrainedSize();
    double[] z = new double[reference.size() * d];
    double[] y = new double[d];
    for (int i = 0; i < reference.size(); i++) {
      int row = i;
      double[] x = IntStream.of(at).mapToDouble(c -> reference.columns()[c][row]).toArray();
      try {
        outputs.unconstrain(x, y);
      } catch (IllegalArgumentException e) {
        String why = "reference draw " + (i + 1) + ": " + e.getMessage();
        return new Assessment.Reference(reference, null, why);
      }
      System.arraycopy(y, 0, z, i * d, d);
    }
    return new Assessment.Reference(reference, z, null);
  }

  /**
   * Draws of every start of the fit, as many as {@link Fit#startDraws} says, the one that was kept
   * first; of a single start, or of a posterior that was loaded, its own alone.
   */
  public List<Draws> starts() {
    return Stream.concat(
            Stream.of(draws(others.isEmpty() ? TRUST_DRAWS : others.getFirst().size())),
            others.stream())
        .toList();
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
