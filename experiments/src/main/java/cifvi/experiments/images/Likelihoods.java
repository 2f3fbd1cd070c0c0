package cifvi.experiments.images;

import cifvi.experiments.data.ImageSet;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.run.RunDirectory;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The test log-likelihoods of a run, image by image, in {@code likelihoods/}: one file an
 * evaluation, so that one that was stopped goes on, and two models can be compared on the same
 * images.
 */
public record Likelihoods(RunDirectory directory) {
  /** Of which evaluation. */
  public record Key(TestBinarisation binarisation, int samples, int repeat) {
    /** Names it among the parts of evaluations. */
    public String name() {
      return binarisation + "-S" + samples + "-" + repeat;
    }

    String file() {
      return "likelihoods/" + name() + ".csv";
    }
  }

  /** Computes what is missing of an evaluation; the estimate is over the first images. */
  public Estimate estimate(
      ImagesEvaluation evaluation, ImageSet test, int count, Key key, Progress progress) {
    return estimate(evaluation, test, count, key, key.file(), progress);
  }

  /**
   * The same of images that settings may be chosen by, binarised once: nothing else of the run
   * tells of it.
   */
  public Estimate ofValidation(
      ImagesEvaluation evaluation, ImageSet images, int count, int samples, Progress progress) {
    var key = new Key(TestBinarisation.FIXED, samples, 0);
    String file = "likelihoods/validation-S" + samples + ".csv";
    return estimate(evaluation, images, count, key, file, progress);
  }

  private Estimate estimate(
      ImagesEvaluation evaluation,
      ImageSet images,
      int count,
      Key key,
      String file,
      Progress progress) {
    directory.createFolder("likelihoods");
    var moments = new Moments();
    evaluation
        .logLikelihoods(
            images,
            count,
            key.binarisation,
            key.samples,
            key.repeat,
            directory.file(file),
            progress)
        .forEach(row -> moments.add(row.logLikelihood()));
    return moments.estimate();
  }

  /** Keeps the values of images that were computed elsewhere. */
  public void write(Key key, List<ImageRow> rows) {
    directory.createFolder("likelihoods");
    try (var log = CsvLog.from(directory.file(key.file()), ImageRow.class, 0)) {
      rows.forEach(log::add);
    }
  }

  /**
   * How much higher the log-likelihood in {@code a} is than in {@code b}, image by image: on the
   * same binary images nearly all of what makes images differ cancels.
   */
  public static Estimate difference(List<ImageRow> a, List<ImageRow> b) {
    var moments = new Moments();
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      moments.add(a.get(i).logLikelihood() - b.get(i).logLikelihood());
    }
    return moments.estimate();
  }

  /** How far the ELBO lies below the log-likelihood, both from the same samples. */
  public static Estimate gap(List<ImageRow> rows) {
    var moments = new Moments();
    rows.forEach(row -> moments.add(row.logLikelihood() - row.elbo()));
    return moments.estimate();
  }

  /** The S of all first evaluations that are there, smallest first. */
  public List<Integer> samples(TestBinarisation binarisation) {
    var name = Pattern.compile(binarisation + "-S(\\d+)-0\\.csv");
    try (Stream<Path> files = Files.list(directory.file("likelihoods"))) {
      return files
          .map(file -> name.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> Integer.valueOf(matcher.group(1)))
          .sorted()
          .toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  /** What is there of an evaluation, in the order of the images. */
  public List<ImageRow> read(Key key) {
    return CsvLog.read(directory.file(key.file()), ImageRow.class);
  }

  /** One evaluation, a line of {@code evaluations.csv}. */
  public record Row(
      String binarisation,
      long importanceSamples,
      long repeat,
      long testImages,
      double logLikelihood,
      double logLikelihoodSe) {}

  /** Keeps an evaluation, once. */
  public void keep(Key key, int count, Estimate estimate) {
    var row =
        new Row(
            key.binarisation.toString(),
            key.samples,
            key.repeat,
            count,
            estimate.mean(),
            estimate.standardError());
    Path file = directory.file("evaluations.csv");
    if (!CsvLog.read(file, Row.class).contains(row)) {
      CsvLog.append(file, Row.class, row);
    }
  }

  /** Whether {@code result.json} has nothing of more images, or of more samples for each. */
  public boolean isMostExact(int samples, int count) {
    ImagesResult found = ImagesResult.read(directory);
    Integer there = found.importanceSamples();
    return count >= found.testImages() && (there == null || samples >= there);
  }

  /**
   * Makes these the numbers of {@code result.json}, all at once: they share the numbers of samples
   * and of images.
   *
   * @param elbo with one draw an image, of the same images
   */
  public void update(int samples, int count, Estimate elbo, Estimate fresh, Estimate fixed) {
    var result = directory.result();
    put(result, "elbo", elbo);
    put(result, "log_likelihood", fresh);
    put(result, "log_likelihood_fixed", fixed);
    result.put("importance_samples", samples);
    result.put("test_images", count);
    directory.writeResult(result);
  }

  private static void put(ObjectNode result, String name, Estimate estimate) {
    result.put(name, estimate.mean());
    result.put(name + "_se", estimate.standardError());
  }
}
