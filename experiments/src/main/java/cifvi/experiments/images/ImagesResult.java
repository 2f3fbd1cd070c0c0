package cifvi.experiments.images;

import cifvi.experiments.files.Texts;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunResult;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * {@code result.json} of an image run; {@code seconds} and {@code ms_per_step} alone depend on the
 * machine. What was not computed is absent.
 *
 * @param epochs trained
 * @param bestEpoch whose parameters were tested
 * @param brokeOffAtEpoch the epoch whose steps ceased to be finite; null where training came to its
 *     end
 * @param elbo of the test set with one draw an image
 * @param logLikelihood of the test set, freshly binarised
 * @param logLikelihoodFixed of the test set as binarised once for all models
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ImagesResult(
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
    String decoder,
    String placement,
    String nets,
    long trainImages,
    long skippedSteps,
    long bestEpoch,
    @Nullable Long brokeOffAtEpoch,
    double validElboBest,
    double elbo,
    double elboSe,
    long testImages,
    @Nullable Double logLikelihood,
    @Nullable Double logLikelihoodSe,
    @Nullable Integer importanceSamples,
    @Nullable Double logLikelihoodFixed,
    @Nullable Double logLikelihoodFixedSe)
    implements RunResult {
  /** Whether a run with this spec ends where this result was made. */
  boolean ends(ImagesSpec spec) {
    return brokeOff() || epochs == spec.epochs() || epochs - bestEpoch > spec.borne();
  }

  @Override
  public boolean brokeOff() {
    return brokeOffAtEpoch != null;
  }

  public static ImagesResult read(RunDirectory directory) {
    var tree = directory.result();
    return Texts.value(Texts.JSON, directory.file(RunDirectory.RESULT), tree, ImagesResult.class);
  }
}
