package cifvi.experiments.fit;

import cifvi.Draws;
import cifvi.diagnostics.Calibration;
import cifvi.diagnostics.Trust;
import cifvi.experiments.files.Texts;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunResult;
import cifvi.experiments.target.KnownAnswers;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code result.json} of a fit; {@code seconds}, {@code ms_per_step} and the two shares alone
 * depend on the machine.
 *
 * @param model the same as {@code family}, under the key that all kinds of run have
 * @param steps of training in all stages
 * @param densityShare of the time of steps, in which the density was called; absent where libtorch
 *     ran it among other things
 * @param waitingShare of it, in which the thread that takes the steps waited for others
 * @param parametersNamed names of the constrained numbers, as in the file of draws
 * @param marginalElbo the upper side of a bracket for families with an index, else the ELBO
 * @param kHat Pareto k-hat of the weights of those draws; absent where it cannot be told
 * @param ess effective sample size of the draws in the file
 * @param gradients calls of the density before the draws
 * @param starts the bound of every start
 * @param summary of every number that all draws have
 * @param knownLogZ log evidence of a density that is known by name, where that is known
 * @param regions of such a density, modes for instance
 * @param verdict {@code good}, {@code usable} (after resampling) or {@code poor}
 * @param calibration by simulations, where it was asked for
 * @param trust what the verdict follows from; absent in results of older versions
 */
public record FitResult(
    String kind,
    String model,
    String subject,
    long seed,
    long steps,
    long parameters,
    String engine,
    String device,
    double seconds,
    double msPerStep,
    @Nullable Double densityShare,
    @Nullable Double waitingShare,
    String family,
    int dimensions,
    List<String> parametersNamed,
    double elbo,
    double elboSe,
    @Nullable Double marginalElbo,
    @Nullable Double marginalElboLower,
    @Nullable Double marginalElboSe,
    double logZ,
    @JsonProperty("log_z_se") double logZSe,
    @Nullable Double kHat,
    @Nullable Double kHatThreshold,
    double ess,
    @Nullable String verdict,
    int draws,
    long gradients,
    List<Double> starts,
    List<Summary> summary,
    @Nullable Double knownLogZ,
    @Nullable List<Region> regions,
    List<String> notes,
    @Nullable Trust trust,
    @Nullable Calibration calibration)
    implements RunResult {
  /**
   * A part of the space.
   *
   * @param probability of it
   * @param share of the draws, not reweighted, that lie there
   */
  public record Region(String name, double probability, double share) {
    static Region of(KnownAnswers.Region known, Draws draws) {
      long inside =
          IntStream.range(0, draws.size())
              .filter(i -> known.contains().test(draws.draw(i)))
              .count();
      return new Region(known.name(), known.probability(), inside / (double) draws.size());
    }
  }

  /** Of one number over all draws. */
  public record Summary(String name, double mean, double sd, double q05, double q50, double q95) {
    /** Of all numbers but those that some draws lack. */
    static List<Summary> of(Draws draws) {
      return draws.finite().stream().map(name -> of(name, draws)).toList();
    }

    private static Summary of(String name, Draws draws) {
      double[] sorted = Arrays.stream(draws.column(name)).sorted().toArray();
      return new Summary(
          name,
          draws.mean(name),
          draws.sd(name),
          quantile(sorted, 0.05),
          quantile(sorted, 0.5),
          quantile(sorted, 0.95));
    }

    /** Between the two nearest, as R and NumPy have it if not told otherwise. */
    private static double quantile(double[] sorted, double p) {
      double at = p * (sorted.length - 1);
      int i = (int) at;
      double next = sorted[Math.min(i + 1, sorted.length - 1)];
      return sorted[i] + (at - i) * (next - sorted[i]);
    }
  }

  public static FitResult read(RunDirectory directory) {
    var tree = directory.result();
    return Texts.value(Texts.JSON, directory.file(RunDirectory.RESULT), tree, FitResult.class);
  }
}
