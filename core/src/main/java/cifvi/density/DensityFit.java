package cifvi.density;

import cifvi.tensor.Precision;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What an estimate of a density is told beside the data; every method gives a changed copy. {@link
 * #run} trains.
 *
 * <pre>{@code
 * var density = Cifvi.estimating(rows).family(DensityFamily.NSF).steps(5_000).seed(2).run();
 * }</pre>
 */
public final class DensityFit {
  /** Fewer cannot be divided into rows to train on and rows to validate with. */
  private static final int FEWEST_ROWS = 10;

  /**
   * How far training is.
   *
   * @param step done so far
   * @param elbo of the step's rows, in standardised units
   * @param best mean bound of the validation rows so far, in the units of the data; NaN before the
   *     first validation
   */
  public record Progress(long step, double elbo, double best) {}

  /** Told how training goes on. */
  @FunctionalInterface
  public interface Listener {
    /**
     * After every step.
     *
     * @return false to stop: the density is the best that was validated
     */
    boolean step(Progress progress);
  }

  final double[][] rows;
  int[] given = {};
  DensityFamily family = DensityFamily.CIF_NSF;
  long steps;
  int patience = 20;
  int batch = 256;
  double validation = 0.1;
  double learningRate = 1e-3;
  double clip = 5;
  int flowSteps;
  int hidden;
  long seed = 1;
  int threads = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
  String engine = "auto";
  String device = "cpu";
  Precision precision = Precision.FLOAT32;
  Listener listener = _ -> true;

  /** An estimate of the density that the rows come from, with everything as it is by default. */
  public DensityFit(double[][] rows) {
    if (rows.length < FEWEST_ROWS) {
      throw new IllegalArgumentException(
          "rows: expected at least " + FEWEST_ROWS + ", got " + rows.length);
    }
    if (rows[0].length == 0) {
      throw new IllegalArgumentException("rows: expected at least one column, got none");
    }
    this.rows = Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
  }

  /** The same as another, whose rows nobody changes any more. */
  private DensityFit(DensityFit other) {
    rows = other.rows;
    given = other.given;
    family = other.family;
    steps = other.steps;
    patience = other.patience;
    batch = other.batch;
    validation = other.validation;
    learningRate = other.learningRate;
    clip = other.clip;
    flowSteps = other.flowSteps;
    hidden = other.hidden;
    seed = other.seed;
    threads = other.threads;
    engine = other.engine;
    device = other.device;
    precision = other.precision;
    listener = other.listener;
  }

  /** The columns, from 0 on, that the density of the others is conditioned on; none if not said. */
  public DensityFit given(int... columns) {
    int all = rows[0].length;
    if (Arrays.stream(columns).anyMatch(c -> c < 0 || c >= all)
        || Arrays.stream(columns).distinct().count() < columns.length
        || columns.length >= all) {
      throw new IllegalArgumentException(
          "given: expected different columns from 0 to %d, and not all of them, got %s"
              .formatted(all - 1, Arrays.toString(columns)));
    }
    var copy = copy();
    copy.given = columns.clone();
    return copy;
  }

  /** The flow; a CIF-NSF if not said. */
  public DensityFit family(DensityFamily family) {
    var copy = copy();
    copy.family = Objects.requireNonNull(family);
    return copy;
  }

  /**
   * So many steps, the rate falling to 0 along half a cosine. If not said, training goes on at one
   * rate until the bound of validation rows has stopped rising.
   */
  public DensityFit steps(long steps) {
    var copy = copy();
    copy.steps = atLeastOne("steps", steps);
    return copy;
  }

  /**
   * How many validations without a better one are borne, 20 if not said; each comes after an epoch,
   * or after as many as make a hundred steps.
   */
  public DensityFit patience(int validations) {
    var copy = copy();
    copy.patience = (int) atLeastOne("patience", validations);
    return copy;
  }

  /** Rows of a step; 256 if not said. */
  public DensityFit batch(int rows) {
    var copy = copy();
    copy.batch = (int) atLeastOne("batch", rows);
    return copy;
  }

  /** Share of the rows that training does not see; 0.1 if not said. */
  public DensityFit validation(double share) {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException(
          "validation: expected a number between 0 and 1, got " + share);
    }
    var copy = copy();
    copy.validation = share;
    return copy;
  }

  /** Of Adam; 10⁻³ if not said. */
  public DensityFit learningRate(double rate) {
    var copy = copy();
    copy.learningRate = positive("learningRate", rate);
    return copy;
  }

  /** Largest norm of a gradient; 5 if not said. */
  public DensityFit clip(double norm) {
    var copy = copy();
    copy.clip = positive("clip", norm);
    return copy;
  }

  /** Steps of the flow; 5 if not said. */
  public DensityFit flowSteps(int steps) {
    var copy = copy();
    copy.flowSteps = (int) atLeastOne("flowSteps", steps);
    return copy;
  }

  /** Width of the flow's networks; 32, or more for many columns, if not said. */
  public DensityFit hidden(int width) {
    var copy = copy();
    copy.hidden = (int) atLeastOne("hidden", width);
    return copy;
  }

  /** Of all that is random; 1 if not said. */
  public DensityFit seed(long seed) {
    var copy = copy();
    copy.seed = seed;
    return copy;
  }

  /** Of kernels on the processor. */
  public DensityFit threads(int threads) {
    var copy = copy();
    copy.threads = (int) atLeastOne("threads", threads);
    return copy;
  }

  /** {@code auto}, {@code eager}, {@code fused} or {@code graph}. */
  public DensityFit engine(String engine) {
    var copy = copy();
    copy.engine = Objects.requireNonNull(engine);
    return copy;
  }

  /** {@code cpu}, {@code cuda}, {@code cuda:1}, …; cpu if not said. */
  public DensityFit device(String device) {
    var copy = copy();
    copy.device = Objects.requireNonNull(device);
    return copy;
  }

  /** Of all numbers of the model; float32 if not said. */
  public DensityFit precision(Precision precision) {
    var copy = copy();
    copy.precision = Objects.requireNonNull(precision);
    return copy;
  }

  /** Who is told of every step. */
  public DensityFit listener(Listener listener) {
    var copy = copy();
    copy.listener = Objects.requireNonNull(listener);
    return copy;
  }

  /**
   * Trains.
   *
   * @throws IllegalArgumentException where rows differ in length, hold something that is no number,
   *     or have a column that is the same everywhere
   */
  public FittedDensity run() {
    return new DensityTraining(this).run();
  }

  /** The modelled columns first, then those that are given. */
  int[] order() {
    var last = Arrays.stream(given).boxed().toList();
    return IntStream.concat(
            IntStream.range(0, rows[0].length).filter(c -> !last.contains(c)), Arrays.stream(given))
        .toArray();
  }

  DensityShape shape() {
    var usual = DensityShape.of(family, rows[0].length - given.length, given.length);
    return new DensityShape(
        family,
        usual.placement(),
        usual.inference(),
        usual.features(),
        usual.given(),
        flowSteps == 0 ? usual.flowSteps() : flowSteps,
        hidden == 0 ? usual.hidden() : hidden,
        usual.bins(),
        usual.tailBound(),
        usual.index(),
        usual.sideHidden(),
        usual.mixture());
  }

  private DensityFit copy() {
    return new DensityFit(this);
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
