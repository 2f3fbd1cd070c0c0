package cifvi.cli.kind;

import cifvi.cli.cluster.ClusterParts;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.images.ImagesEvaluation;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.ImagesExperiment;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.images.Likelihoods;
import cifvi.experiments.parts.Parts;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    @Nullable Integer chunk,
    @Nullable ClusterParts elsewhere,
    @Nullable Path dataDir) {
  /** Samples of one task: some minutes of a core for the larger models. */
  private static final long TASK = 200_000;

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
      var evaluation = evaluation(trained.model(), weights, seed, chunk);
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
    Progress progress = (done, of) -> console.evaluating(task, done, of);
    if (elsewhere != null && likelihoods.read(key).size() < count) {
      compute(elsewhere, evaluation, key, progress);
    }
    Estimate estimate = likelihoods.estimate(evaluation, test, count, key, progress);
    likelihoods.keep(key, count, estimate);
    return estimate;
  }

  static ImagesEvaluation evaluation(
      Model model, LogWeights weights, long seed, @Nullable Integer chunk) {
    return chunk == null
        ? new ImagesEvaluation(model, weights, seed)
        : new ImagesEvaluation(model, weights, seed, chunk);
  }

  /** Has the values of all images computed elsewhere, and keeps them where they are looked for. */
  private void compute(
      ClusterParts elsewhere, ImagesEvaluation evaluation, Likelihoods.Key key, Progress progress) {
    var spec = ImagesSpec.read(directory);
    String used = device == null ? spec.device() : device;
    var words =
        new ArrayList<>(
            List.of(
                "--importance-samples=" + samples,
                "--limit-test=" + count,
                "--repeat-number=" + key.repeat(),
                "--chunk=" + evaluation.chunk(),
                "--device=" + used));
    if (key.binarisation() == TestBinarisation.FRESH) {
      words.add("--fresh");
    }
    if (dataDir != null) {
      words.add("--data-dir=" + dataDir.toAbsolutePath());
    }
    var parts =
        new Parts(
            directory,
            "%s-%d-chunk%d".formatted(key.name(), count, evaluation.chunk()),
            evaluation.units(count, samples));
    var rows =
        elsewhere.compute(parts, words, spec.threads(), used.startsWith("cuda"), TASK, progress);
    new Likelihoods(directory).write(key, ImagesEvaluation.logLikelihoods(rows));
    parts.delete();
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
