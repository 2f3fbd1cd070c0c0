package cifvi.cli.kind;

import cifvi.experiments.data.ImageSet;
import cifvi.experiments.images.ImagesEvaluation;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.ImagesExperiment;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.images.Likelihoods;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Test log-likelihood of an image run, on fresh binarisations and on the fixed one. */
public record ImagesEvaluate(
    RunDirectory directory,
    @Nullable String device,
    ImageSet test,
    int count,
    int samples,
    int repeats,
    @Nullable Integer chunk) {
  public void run(PrintWriter out, RunListener console) {
    out.printf(
        Locale.ROOT,
        "log p(x) of %,d test images, S = %,d: estimate ± standard error over the images%n",
        count,
        samples);
    line(out, "repeat", "binarised anew", "fixed binarisation");
    var anew = new Moments();
    var fixed = new Moments();
    try (var trained = Run.load(new ImagesExperiment(), directory, device, console);
        var weights = trained.weights()) {
      long seed = ImagesSpec.read(directory).seed();
      var evaluation =
          chunk == null
              ? new ImagesEvaluation(trained.model(), weights, seed)
              : new ImagesEvaluation(trained.model(), weights, seed, chunk);
      for (int repeat = 0; repeat < repeats; repeat++) {
        Estimate first = estimate(evaluation, TestBinarisation.FRESH, repeat, console);
        Estimate second = estimate(evaluation, TestBinarisation.FIXED, repeat, console);
        anew.add(first.mean());
        fixed.add(second.mean());
        line(out, Integer.toString(repeat + 1), text(first), text(second));
        if (repeat == 0) {
          update(out, evaluation, first, second, console);
        }
      }
    }
    if (repeats > 1) {
      line(out, "mean", number("%.4f", anew.mean()), number("%.4f", fixed.mean()));
      line(out, "variance", number("%.2e", anew.variance()), number("%.2e", fixed.variance()));
    }
  }

  /** The first of repeats becomes that of the run, unless the one there is more exact. */
  private void update(
      PrintWriter out,
      ImagesEvaluation evaluation,
      Estimate fresh,
      Estimate fixed,
      RunListener console) {
    var likelihoods = new Likelihoods(directory);
    if (likelihoods.isMostExact(samples, count)) {
      Estimate elbo =
          evaluation.testElbo(test, count, (done, of) -> console.evaluating("test ELBO", done, of));
      likelihoods.update(samples, count, elbo, fresh, fixed);
      out.println("kept in result.json");
    } else {
      ImagesResult kept = ImagesResult.read(directory);
      Integer there = kept.importanceSamples();
      out.printf(
          Locale.ROOT,
          "result.json keeps the more exact one of %,d images%s%n",
          kept.testImages(),
          there == null ? "" : ", S = " + there);
    }
    out.flush();
  }

  private Estimate estimate(
      ImagesEvaluation evaluation, TestBinarisation binarisation, int repeat, RunListener console) {
    var likelihoods = new Likelihoods(directory);
    var key = new Likelihoods.Key(binarisation, samples, repeat);
    String task = binarisation + " " + (repeat + 1) + "/" + repeats;
    Estimate estimate =
        likelihoods.estimate(
            evaluation, test, count, key, (done, of) -> console.evaluating(task, done, of));
    likelihoods.keep(key, count, estimate);
    return estimate;
  }

  private static String text(Estimate estimate) {
    return number("%.3f", estimate.mean()) + " ± " + number("%.3f", estimate.standardError());
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static void line(PrintWriter out, String name, String anew, String fixed) {
    out.printf("%-8s %20s %20s%n", name, anew, fixed);
    out.flush();
  }
}
