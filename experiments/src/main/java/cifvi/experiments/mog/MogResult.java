package cifvi.experiments.mog;

import cifvi.experiments.files.Texts;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunResult;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code result.json} of a mixture run; {@code seconds} and {@code ms_per_step} alone depend on the
 * machine.
 */
public record MogResult(
    String kind,
    String model,
    long seed,
    long steps,
    long parameters,
    String engine,
    String device,
    double seconds,
    double msPerStep,
    int components,
    Sigma0 sigma0,
    double tailBound,
    String placement,
    long skippedSteps,
    double elbo,
    double elboSe,
    @JsonProperty("elbo_last_2000") double elboLast2000,
    double marginalElbo,
    double marginalElboLower,
    double marginalElboSe,
    long outer,
    long inner,
    double logZ,
    @JsonProperty("log_z_se") double logZSe,
    int modesCovered,
    double offModeMass,
    double effectiveModes)
    implements RunResult {
  public static MogResult read(RunDirectory directory) {
    var tree = directory.result();
    return Texts.value(Texts.JSON, directory.file(RunDirectory.RESULT), tree, MogResult.class);
  }
}
