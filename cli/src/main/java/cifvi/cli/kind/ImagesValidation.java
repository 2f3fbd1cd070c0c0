package cifvi.cli.kind;

import cifvi.experiments.data.ImageSet;
import cifvi.experiments.images.ImagesExperiment;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.images.Likelihoods;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Estimate;
import cifvi.vi.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Log-likelihood of the first validation images of an image run: settings can be chosen by it
 * without a look at test images.
 */
record ImagesValidation(
    RunDirectory directory,
    @Nullable String device,
    ImageSet images,
    int count,
    int samples,
    @Nullable Integer chunk) {
  void run(PrintWriter out, RunListener console) {
    Progress progress = (done, of) -> console.evaluating("validation", done, of);
    try (var trained = Run.load(new ImagesExperiment(), directory, device, console);
        var weights = trained.weights()) {
      long seed = ImagesSpec.read(directory).seed();
      var evaluation = ImagesEvaluate.evaluation(trained.model(), weights, seed, chunk);
      Estimate estimate =
          new Likelihoods(directory).ofValidation(evaluation, images, count, samples, progress);
      out.printf(
          Locale.ROOT,
          "log p(x) of %,d validation images, S = %,d: %.3f ± %.3f%n",
          count,
          samples,
          estimate.mean(),
          estimate.standardError());
      out.flush();
    }
  }
}
