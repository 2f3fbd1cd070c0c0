package cifvi.experiments.images;

import cifvi.experiments.data.Binarisation;
import cifvi.experiments.data.Binarisation.Part;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.parts.PartRow;
import cifvi.experiments.parts.PartUnits;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Estimate;
import cifvi.vi.ForwardWeights;
import cifvi.vi.LogMeanExp;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.bytedeco.javacpp.PointerScope;

/**
 * What is computed of an image model without training it. Noise and binarisation belong to the
 * image, so neither chunks nor the order of work change a number.
 *
 * @param weights what the estimates are made of, by some engine
 * @param seed of the run
 * @param chunk draws computed at a time, which bounds the memory needed
 */
public record ImagesEvaluation(Model model, LogWeights weights, long seed, int chunk) {
  /** Keeps the whole process within 1 GB for any model of Table 1, the large decoder included. */
  private static final int CHUNK = 250;

  /** The same for a GPU, which small chunks would leave idle. */
  private static final int CUDA_CHUNK = 10_000;

  /** The seed of the binarisation that all models share, whatever the seed of their run. */
  public static final long FIXED_SEED = 0;

  /** Samples of one image that one machine computes. */
  private static final int PART = 100_000;

  /** Images whose values are kept at a time: an evaluation that was stopped goes on after them. */
  private static final int BLOCK = 100;

  public ImagesEvaluation(Model model, LogWeights weights, long seed) {
    this(model, weights, seed, model.parameters().backend().cuda() ? CUDA_CHUNK : CHUNK);
  }

  /**
   * How the test set becomes binary: anew for every evaluation, as in the paper, or once for all.
   */
  public enum TestBinarisation {
    FRESH,
    FIXED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The values of one test image.
   *
   * @param logLikelihood log p(x) from S importance samples (eq. 20 for a flow, 21 for a CIF)
   * @param elbo mean log-weight of the same samples
   */
  public record ImageRow(long image, double logLikelihood, double elbo) {}

  /**
   * The importance-weighted bound of so many draws on the validation images; of one, the ELBO.
   *
   * @param round which binarisation and noise
   */
  Estimate validate(BinaryImages images, int draws, long round, Progress progress) {
    return bound(images, draws, round, rng(Purpose.VALIDATE, round), progress);
  }

  /** The ELBO with one draw an image on the first {@code count} test images. */
  public Estimate testElbo(ImageSet test, int count, Progress progress) {
    try (BinaryImages images = images(test, seed, count)) {
      return bound(images, 1, 0, rng(Purpose.EVALUATE, 0), progress);
    }
  }

  private Estimate bound(
      BinaryImages images, int draws, long round, CounterRng rng, Progress progress) {
    var moments = new Moments();
    for (int from = 0; from < images.count(); from += chunk) {
      int count = Math.min(chunk, images.count() - from);
      for (LogMeanExp image : block(images, round, from, count, draws, rng, Progress.SILENT)) {
        moments.add(image.value());
      }
      progress.report(from + count, images.count());
    }
    return moments.estimate();
  }

  /**
   * The log-likelihood of the first {@code count} test images from {@code samples} importance
   * samples each; values found in {@code file} are taken from there, new ones added to it.
   *
   * @param repeat number of the evaluation, each having noise of its own
   */
  public List<ImageRow> logLikelihoods(
      ImageSet test,
      int count,
      TestBinarisation binarisation,
      int samples,
      int repeat,
      Path file,
      Progress progress) {
    boolean fresh = binarisation == TestBinarisation.FRESH;
    CounterRng rng = rng(Purpose.LIKELIHOOD, 2L * repeat + (fresh ? 0 : 1));
    int known = Math.min(CsvLog.read(file, ImageRow.class).size(), count);
    int whole = known == count ? known : known / BLOCK * BLOCK;
    if (whole < count) {
      try (BinaryImages images = images(test, fresh ? seed : FIXED_SEED, count);
          var log = CsvLog.from(file, ImageRow.class, whole)) {
        for (int from = whole; from < count; from += BLOCK) {
          int block = Math.min(BLOCK, count - from);
          long done = (long) from * samples;
          Progress within = (draws, _) -> progress.done(done + draws, (long) count * samples);
          LogMeanExp[] means =
              block(images, fresh ? repeat + 1 : 0, from, block, samples, rng, within);
          for (int i = 0; i < block; i++) {
            log.add(new ImageRow(from + i, means[i].value(), means[i].mean()));
          }
          log.flush();
        }
      }
    }
    return CsvLog.read(file, ImageRow.class).subList(0, count);
  }

  /** How the same is cut into parts for several machines. */
  public PartUnits units(int count, int samples) {
    return new PartUnits(
        count, samples, samples >= chunk ? 1 : BLOCK, Math.ceilDiv(PART, chunk) * (long) chunk);
  }

  /** Some parts of it. */
  public List<PartRow> parts(
      ImageSet test,
      int count,
      TestBinarisation binarisation,
      int samples,
      int repeat,
      List<PartUnits.Unit> units,
      Progress progress) {
    boolean fresh = binarisation == TestBinarisation.FRESH;
    CounterRng rng = rng(Purpose.LIKELIHOOD, 2L * repeat + (fresh ? 0 : 1));
    long round = fresh ? repeat + 1 : 0;
    var rows = new ArrayList<PartRow>();
    try (BinaryImages images = images(test, fresh ? seed : FIXED_SEED, count)) {
      for (PartUnits.Unit unit : units) {
        int from = Math.toIntExact(unit.row());
        if (unit.to() - unit.from() == samples) {
          LogMeanExp[] means =
              block(images, round, from, Math.toIntExact(unit.rows()), samples, rng, progress);
          for (int i = 0; i < means.length; i++) {
            rows.add(PartRow.of(from + i, 0, 0, 0, means[i].state()));
          }
        } else {
          try (var _ = new PointerScope()) {
            LogMeanExp part =
                new ForwardWeights(weights, chunk, progress)
                    .part(images.draw(round, from, 1), from, samples, unit.from(), unit.to(), rng);
            rows.add(PartRow.of(from, unit.from(), 0, 0, part.state()));
          }
        }
      }
    }
    return rows;
  }

  /** The values of images from all parts, in the order of images and draws. */
  public static List<ImageRow> logLikelihoods(List<PartRow> parts) {
    var means = new LinkedHashMap<Long, LogMeanExp>();
    for (PartRow part : parts) {
      means.computeIfAbsent(part.row(), _ -> new LogMeanExp()).add(part.state());
    }
    var rows = new ArrayList<ImageRow>();
    means.forEach((image, mean) -> rows.add(new ImageRow(image, mean.value(), mean.mean())));
    return rows;
  }

  private LogMeanExp[] block(
      BinaryImages images,
      long round,
      int from,
      int count,
      int samples,
      CounterRng rng,
      Progress progress) {
    var means = new LogMeanExp[count];
    Arrays.setAll(means, _ -> new LogMeanExp());
    try (var _ = new PointerScope()) {
      new ForwardWeights(weights, chunk, progress)
          .forEach(
              images.draw(round, from, count),
              from,
              samples,
              rng,
              (row, w) -> means[(int) row].add(w));
    }
    return means;
  }

  private BinaryImages images(ImageSet test, long binarisationSeed, int count) {
    var binarisation = new Binarisation(test, binarisationSeed, Part.TEST);
    return new BinaryImages(backend(), binarisation, BinaryImages.first(count));
  }

  private CounterRng rng(Purpose purpose, long step) {
    return new CounterRng(backend(), seed, purpose).step(step);
  }

  private Backend backend() {
    return model.parameters().backend();
  }
}
