package cifvi.experiments.density;

import cifvi.experiments.files.Texts;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunResult;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * {@code result.json} of a density run; {@code seconds} and {@code ms_per_step} alone depend on the
 * machine. Bounds and log-likelihoods are means over rows in the units of the data.
 *
 * @param epochs validations
 * @param bestEpoch whose parameters were tested
 * @param brokeOffAtEpoch the one whose steps ceased to be finite; null where training came to its
 *     end
 * @param elbo of the test rows, mean over all importance samples
 * @param logLikelihoodBias how much too small the log-likelihood is, by S against 2S
 * @param logLikelihoodJackknife the log-likelihood less that
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DensityResult(
    String kind,
    String model,
    long seed,
    long steps,
    long epochs,
    long parameters,
    String engine,
    String device,
    double seconds,
    double msPerStep,
    String data,
    @Nullable String given,
    String placement,
    String inference,
    int columns,
    long trainRows,
    long validRows,
    long testRows,
    long skippedSteps,
    long bestEpoch,
    @Nullable Long brokeOffAtEpoch,
    double validElboBest,
    double elbo,
    double elboSe,
    double logLikelihood,
    double logLikelihoodSe,
    double logLikelihoodBias,
    double logLikelihoodJackknife,
    int importanceSamples)
    implements RunResult {
  /** Whether a run with this spec ends where this result was made. */
  boolean ends(DensitySpec spec) {
    return brokeOff()
        || spec.steps() != null
        || epochs == spec.epochs()
        || epochs - bestEpoch > spec.patience();
  }

  @Override
  public boolean brokeOff() {
    return brokeOffAtEpoch != null;
  }

  public static DensityResult read(RunDirectory directory) {
    var tree = directory.result();
    return Texts.value(Texts.JSON, directory.file(RunDirectory.RESULT), tree, DensityResult.class);
  }
}
