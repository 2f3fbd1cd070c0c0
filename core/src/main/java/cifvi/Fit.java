package cifvi;

import cifvi.engine.Engines;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import cifvi.posterior.Placement;
import cifvi.start.internal.Frame;
import cifvi.target.Target;
import cifvi.tensor.Precision;
import cifvi.vi.Objective;
import cifvi.vi.StepTime;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a fit is told beside the density; every method gives a changed copy. {@link #run} fits.
 *
 * <pre>{@code
 * var posterior = Cifvi.fitting(density).family(Family.CIF_NSF).steps(10_000).seed(2).run();
 * }</pre>
 */
public final class Fit {
  /**
   * How far a fit is.
   *
   * @param what is being trained: {@code mean-field}, {@code start 2, cif-nsf}
   * @param stage its number, from 0 on
   * @param step done so far in this stage, of {@code steps}
   * @param total steps of all stages so far
   * @param elbo of the step's draws
   * @param gradientNorm before clipping
   */
  public record Progress(
      String what,
      int stage,
      long step,
      long steps,
      long total,
      double elbo,
      double gradientNorm,
      double learningRate) {}

  /** Told how a fit goes on. */
  @FunctionalInterface
  public interface Listener {
    /**
     * After every step.
     *
     * @return false to stop: the posterior is what has been reached
     */
    boolean step(Progress progress);

    /**
     * Before the first step, while modes are looked for.
     *
     * @param calls of the density in this search so far
     * @return false to stop: {@link #run} throws a {@link cifvi.vi.Progress.StoppedException},
     *     since there is no posterior yet
     */
    default boolean searching(long calls) {
      return true;
    }

    /** Before the state of a {@link #resumable} fit is saved. */
    default void saving() {}

    /** After the last step of a stage. */
    default void trained(StepTime time) {}
  }

  /** What every engine is called, and what chooses one. */
  private static final String AUTO = "auto";

  /** One of the two is there. */
  final @Nullable LogDensity density;

  final @Nullable Target target;
  final ParameterSpace space;
  Family family = Family.AUTO;
  long steps;
  int samples = 256;
  long seed = 1;
  int starts = 1;
  int startDraws = 1000;
  int threads = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
  String engine = AUTO;
  String device = "cpu";
  Precision precision = Precision.FLOAT32;
  Placement placement = Placement.PAPER;
  Objective objective = new Objective.Elbo();
  double clip = 10;
  double learningRate;
  double[] initialPoint;
  double initialScale = 1;
  double @Nullable [] initialFactor;
  Listener listener = _ -> true;
  boolean decay = true;
  boolean average;
  @Nullable Path folder;

  Fit(@Nullable LogDensity density, @Nullable Target target, ParameterSpace space) {
    this.density = density;
    this.target = target;
    this.space = space;
    initialPoint = new double[space.unconstrainedSize()];
    if (initialPoint.length == 0) {
      throw new IllegalArgumentException(
          "dimensions: expected at least 1, got 0: a density of no variable has nothing to fit");
    }
  }

  /** d real numbers {@code z}, for densities without names. */
  static ParameterSpace unnamed(int dimensions) {
    if (dimensions < 1) {
      throw new IllegalArgumentException("dimensions: expected at least 1, got " + dimensions);
    }
    return ParameterSpace.of(Parameter.real("z").vector(dimensions));
  }

  private Fit copy() {
    var copy = new Fit(density, target, space);
    copy.family = family;
    copy.steps = steps;
    copy.samples = samples;
    copy.seed = seed;
    copy.starts = starts;
    copy.startDraws = startDraws;
    copy.threads = threads;
    copy.engine = engine;
    copy.device = device;
    copy.precision = precision;
    copy.placement = placement;
    copy.objective = objective;
    copy.clip = clip;
    copy.learningRate = learningRate;
    copy.initialPoint = initialPoint;
    copy.initialScale = initialScale;
    copy.initialFactor = initialFactor;
    copy.listener = listener;
    copy.decay = decay;
    copy.average = average;
    copy.folder = folder;
    return copy;
  }

  /** The family; {@link Family#AUTO} if not said. */
  public Fit family(Family family) {
    var copy = copy();
    copy.family = Objects.requireNonNull(family);
    return copy;
  }

  /** Training steps of the family; if not said, what its default is. */
  public Fit steps(long steps) {
    var copy = copy();
    copy.steps = atLeastOne("steps", steps);
    return copy;
  }

  /** Draws in a training step. */
  public Fit samples(int samples) {
    var copy = copy();
    copy.samples = (int) atLeastOne("samples", samples);
    return copy;
  }

  /** Everything random follows from it. */
  public Fit seed(long seed) {
    var copy = copy();
    copy.seed = seed;
    return copy;
  }

  /** How many times to fit, from other starting values each; the best is kept. */
  public Fit starts(int starts) {
    var copy = copy();
    copy.starts = (int) atLeastOne("starts", starts);
    return copy;
  }

  /** Draws that are kept of every start where there are several, to see whether they agree. */
  public Fit startDraws(int draws) {
    var copy = copy();
    copy.startDraws = (int) atLeastOne("startDraws", draws);
    return copy;
  }

  /** Threads of kernels, and of a density that may be called by several. */
  public Fit threads(int threads) {
    var copy = copy();
    copy.threads = (int) atLeastOne("threads", threads);
    return copy;
  }

  /** {@code auto}, {@code eager}, {@code fused} or {@code graph}. */
  public Fit engine(String engine) {
    var copy = copy();
    copy.engine = engine;
    return copy;
  }

  /** {@code cpu}, {@code cuda} or {@code cuda:n}. */
  public Fit device(String device) {
    var copy = copy();
    copy.device = device;
    return copy;
  }

  /** At the first step, from where it falls to 0 along half a cosine unless {@link #decay}. */
  public Fit learningRate(double rate) {
    var copy = copy();
    copy.learningRate = positive("learningRate", rate);
    return copy;
  }

  /** Of the parameters and of everything that is trained; float32 if not said. */
  public Fit precision(Precision precision) {
    var copy = copy();
    copy.precision = Objects.requireNonNull(precision);
    return copy;
  }

  /** Where the affine in u stands in the layers of a CIF; that of the paper if not said. */
  public Fit placement(Placement placement) {
    var copy = copy();
    copy.placement = Objects.requireNonNull(placement);
    return copy;
  }

  /**
   * What a step raises, and by which gradient; the ELBO if not said. Those other than {@link
   * Objective.Elbo} and {@link Objective.Iwae} run by libtorch alone.
   */
  public Fit objective(Objective objective) {
    var copy = copy();
    copy.objective = Objects.requireNonNull(objective);
    return copy;
  }

  /** Largest norm of a gradient; 10 if not said, infinity for no limit. */
  public Fit clip(double norm) {
    if (!(norm > 0)) {
      throw new IllegalArgumentException("clip: expected a positive number, got " + norm);
    }
    var copy = copy();
    copy.clip = norm;
    return copy;
  }

  /** Where to begin, on the unconstrained space; 0 if not said. */
  public Fit initialPoint(double... point) {
    if (point.length != initialPoint.length) {
      throw new IllegalArgumentException(
          "initialPoint: expected " + initialPoint.length + " numbers, got " + point.length);
    }
    var copy = copy();
    copy.initialPoint = point.clone();
    return copy;
  }

  /** Standard deviation of the first draws in every dimension; 1 if not said. */
  public Fit initialScale(double scale) {
    var copy = copy();
    copy.initialScale = positive("initialScale", scale);
    copy.initialFactor = null;
    return copy;
  }

  /**
   * A matrix in place of {@link #initialScale}: the first draws are initialPoint + factor e, with e
   * standard normal. For densities in units of their own.
   *
   * @param factor d rows of d numbers, one after the other; upper or lower triangular, with a
   *     positive diagonal
   */
  public Fit initialFactor(double... factor) {
    Frame.triangular(initialPoint, factor);
    var copy = copy();
    copy.initialFactor = factor.clone();
    return copy;
  }

  /** Whether the learning rate falls to 0 along half a cosine, which it does if not said. */
  public Fit decay(boolean decay) {
    var copy = copy();
    copy.decay = decay;
    return copy;
  }

  /** Whether the posterior has a moving average of the parameters instead of the last ones. */
  public Fit average(boolean average) {
    var copy = copy();
    copy.average = average;
    return copy;
  }

  /**
   * A folder for the state of the fit: where it holds one, with the same settings, the fit goes on
   * from there, and ends with the bits it would have had without a stop.
   */
  public Fit resumable(Path folder) {
    var copy = copy();
    copy.folder = folder;
    return copy;
  }

  /** Who is told of every step. */
  public Fit listener(Listener listener) {
    var copy = copy();
    copy.listener = Objects.requireNonNull(listener);
    return copy;
  }

  /** The engine that {@link #run} will use, and why. */
  public Engines.Choice chooseEngine() {
    return new Fitting(this).chooseEngine();
  }

  /**
   * Fits.
   *
   * @throws IllegalArgumentException where the density has no answer anywhere near the start
   */
  public FittedPosterior run() {
    return new Fitting(this).run();
  }

  /** Everything that decides the bits of the result, but for engine and threads. */
  String settings() {
    return "family %s, steps %d, samples %d, seed %d, starts %d, rate %s, decay %s, average %s, clip %s, gradient %s, placement %s, precision %s, from %s ± %s, parameters %s"
            .formatted(
                family,
                steps,
                samples,
                seed,
                starts,
                learningRate,
                decay,
                average,
                clip,
                objectiveText(),
                placement,
                precision,
                Arrays.toString(initialPoint),
                initialFactor == null ? initialScale : Arrays.toString(initialFactor),
                String.join("; ", space.parameters().stream().map(Parameter::toString).toList()))
        + (identity().isEmpty() ? "" : FitFolder.DENSITY + identity());
  }

  /** As folders of fits have it since there were but two objectives, called gradients then. */
  private String objectiveText() {
    return switch (objective) {
      case Objective.Elbo _ -> "total";
      case Objective.PathElbo _ -> "path";
      default -> objective.toString();
    };
  }

  private String identity() {
    return density == null ? "" : density.identity();
  }

  private static long atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": expected at least 1, got " + value);
    }
    return value;
  }

  private static double positive(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + ": expected a positive number, got " + value);
    }
    return value;
  }
}
