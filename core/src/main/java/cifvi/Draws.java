package cifvi;

import cifvi.diagnostics.Assessment;
import cifvi.diagnostics.ImportanceWeights;
import cifvi.parameter.Outputs;
import cifvi.parameter.ParameterSpace;
import cifvi.parameter.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * z ~ q with their log-weights log p(z) - log g, log g = log q(z, u) - log r(u|z): draws of a
 * fitted posterior. For a family without an index, log g is log q(z) itself.
 */
public final class Draws {
  private final ParameterSpace space;
  private final List<String> names;
  private final List<String> notes;
  private final int d;
  private final double[] z;
  private final double[] x;
  private final double[] logP;
  private final double[] logG;

  /** What a density tells of points z, with what is random in it following from a seed. */
  Draws(Outputs outputs, double[] z, double[] logP, double[] logG, long seed) {
    space = outputs.space();
    names = outputs.names();
    d = z.length / Math.max(1, logP.length);
    this.z = z;
    this.logP = logP;
    this.logG = logG;
    int columns = space.constrainedSize();
    x = new double[Math.multiplyExact(logP.length, columns)];
    double[] row = new double[columns];
    int missing = 0;
    String why = "";
    for (int i = 0; i < logP.length; i++) {
      String reason = outputs.write(unconstrained(i), row, mixed(seed, i));
      System.arraycopy(row, 0, x, i * columns, columns);
      if (reason != null && missing++ == 0) {
        why = reason;
      }
    }
    notes =
        missing == 0
            ? List.of()
            : List.of(
                "%,d of %,d draws lack numbers, which are NaN; first: %s"
                    .formatted(missing, size(), why));
  }

  /** Some of other draws, with another log g. */
  private Draws(Draws all, int[] kept, double[] logG) {
    space = all.space;
    names = all.names;
    notes = all.notes;
    d = all.d;
    z = rows(all.z, d, kept);
    x = rows(all.x, space.constrainedSize(), kept);
    logP = rows(all.logP, 1, kept);
    this.logG = logG;
  }

  private static double[] rows(double[] all, int columns, int[] kept) {
    double[] some = new double[Math.multiplyExact(kept.length, columns)];
    for (int i = 0; i < kept.length; i++) {
      System.arraycopy(all, kept[i] * columns, some, i * columns, columns);
    }
    return some;
  }

  /** A seed for every draw, as different for the next as for any other (SplitMix64). */
  private static long mixed(long seed, int draw) {
    long mix = seed * 0x9E3779B97F4A7C15L + draw + 1;
    mix *= 0x9E3779B97F4A7C15L;
    mix = (mix ^ (mix >>> 30)) * 0xBF58476D1CE4E5B9L;
    mix = (mix ^ (mix >>> 27)) * 0x94D049BB133111EBL;
    return mix ^ (mix >>> 31);
  }

  /**
   * Draws that were made elsewhere.
   *
   * @param z on the unconstrained space, row-major
   * @param logP of each on the unconstrained space
   * @param logG log q(z, u) - log r(u|z) of each
   */
  public static Draws of(ParameterSpace space, double[] z, double[] logP, double[] logG) {
    if (logP.length != logG.length || z.length != logP.length * space.unconstrainedSize()) {
      throw new IllegalArgumentException(
          "expected %d numbers z for each of %d log p and %d log g, got %d in all"
              .formatted(space.unconstrainedSize(), logP.length, logG.length, z.length));
    }
    return new Draws(space, z.clone(), logP.clone(), logG.clone(), 0);
  }

  /** How many there are. */
  public int size() {
    return logP.length;
  }

  /** A name for every number of a draw, as Stan writes them: {@code tau}, {@code theta.1}. */
  public List<String> names() {
    return names;
  }

  /** The constrained numbers of draw {@code i}, in the order of {@link #names}. */
  public double[] draw(int i) {
    int columns = space.constrainedSize();
    return Arrays.copyOfRange(x, i * columns, (i + 1) * columns);
  }

  /** The constrained numbers of draw {@code i} by the names of the parameters. */
  public Values values(int i) {
    return space.values(draw(i));
  }

  /** Number {@code column} of draw {@code i}. */
  double number(int i, int column) {
    return x[i * space.constrainedSize() + column];
  }

  /** What is odd about them, one line each. */
  public List<String> notes() {
    return notes;
  }

  /** What the numbers stand for, in their order. */
  public ParameterSpace parameters() {
    return space;
  }

  /** One of the {@link #names} over all draws. */
  public double[] column(String name) {
    int columns = space.constrainedSize();
    int c = names.indexOf(name);
    if (c < 0) {
      throw new IllegalArgumentException(
          "no column is named " + name + "; there are " + String.join(", ", names));
    }
    double[] column = new double[size()];
    Arrays.setAll(column, i -> x[i * columns + c]);
    return column;
  }

  /** Those of the {@link #names} that are a finite number in every draw. */
  public List<String> finite() {
    return names.stream()
        .filter(name -> Arrays.stream(column(name)).allMatch(Double::isFinite))
        .toList();
  }

  /** Draw {@code i} on the unconstrained space. */
  public double[] unconstrained(int i) {
    return Arrays.copyOfRange(z, i * d, (i + 1) * d);
  }

  /** log p(z) of draw {@code i} on the unconstrained space; NaN where nobody knows p. */
  public double logP(int i) {
    return logP[i];
  }

  /** log q(z, u) - log r(u|z) of draw {@code i}. */
  public double logG(int i) {
    return logG[i];
  }

  /** log p - log g of draw {@code i}. */
  public double logWeight(int i) {
    return logP[i] - logG[i];
  }

  /** Mean of one of the {@link #names}. */
  public double mean(String name) {
    return Arrays.stream(column(name)).average().orElseThrow();
  }

  /** Standard deviation of one of the {@link #names}, with n - 1 in the denominator. */
  public double sd(String name) {
    double mean = mean(name);
    double squares = Arrays.stream(column(name)).map(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / (size() - 1));
  }

  /**
   * Writes all draws, in the format that the name of the file ends with.
   *
   * <ul>
   *   <li>{@code .csv}: the layout of CmdStan, with {@code lp__}, {@code log_p__} and {@code
   *       log_g__} before the parameters;
   *   <li>{@code .npz}: NumPy arrays by the names of the parameters, in their shapes;
   *   <li>{@code .zarr}: a folder that xarray opens, with ArviZ's groups and dimensions.
   * </ul>
   */
  public void write(Path file) throws IOException {
    write(List.of(this), file);
  }

  /**
   * Writes the draws of several starts, the first of which is the one to keep: as the chains of a
   * {@code .zarr} store; the other formats take the first alone.
   */
  public static void write(List<Draws> starts, Path file) throws IOException {
    DrawsFile.write(starts, file);
  }

  /** The weights of all draws, and what they say of themselves. */
  public ImportanceWeights weights() {
    double[] logWeights = new double[size()];
    Arrays.setAll(logWeights, this::logWeight);
    return new ImportanceWeights(logWeights);
  }

  /**
   * {@code count} of these draws, chosen by their Pareto smoothed weights: as good as draws of p
   * where {@link ImportanceWeights#reliable}. Some come more than once. All have the same weight
   * then: {@link #logG} is log p less the log evidence.
   */
  public Draws resampled(int count, long seed) {
    ImportanceWeights weights = weights();
    double logZ = weights.logEvidence().mean();
    int[] kept = weights.resample(count, seed);
    double[] logQ = new double[count];
    Arrays.setAll(logQ, i -> logP[kept[i]] - logZ);
    return new Draws(this, kept, logQ);
  }

  /** Those of the {@link #names} that draws say something of: finite, and not always the same. */
  List<String> telling() {
    return finite().stream().filter(this::varies).toList();
  }

  /** Zeros of a Cholesky factor, for instance, do not. */
  private boolean varies(String name) {
    double[] column = column(name);
    return Arrays.stream(column).anyMatch(value -> value != column[0]);
  }

  /**
   * As diagnostics take them.
   *
   * @param known those of the {@link #names} to look at
   */
  Assessment.Drawn drawn(List<String> known) {
    double[][] columns = known.stream().map(this::column).toArray(double[][]::new);
    return new Assessment.Drawn(columns, z, logP, logG);
  }

  /** log 1/n Σ e^{log-weight}, which estimates log ∫ p. */
  public double logEvidence() {
    return weights().logEvidence().mean();
  }

  /** Standard error of {@link #logEvidence}: that of the mean weight over the mean weight. */
  public double logEvidenceError() {
    return weights().logEvidence().standardError();
  }

  /** (Σ w)² / Σ w², of the weights of all draws. */
  public double effectiveSampleSize() {
    return weights().effectiveSampleSize();
  }
}
