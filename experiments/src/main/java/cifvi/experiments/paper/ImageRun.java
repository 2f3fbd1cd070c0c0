package cifvi.experiments.paper;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.images.Likelihoods;
import cifvi.experiments.run.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One image run as a part of the paper's tables.
 *
 * @param result empty while it is not finished
 */
public record ImageRun(RunDirectory directory, ImagesSpec spec, Optional<ImagesResult> result) {
  private static final int DEPTH = 2;
  private static final long PAPER_EPOCHS = 1000;
  private static final int PAPER_SAMPLES = 1000;
  private static final long ALL_TEST_IMAGES = 10_000;

  /** All image runs in a folder and in its folders. */
  public static List<ImageRun> scan(Path folder) {
    try (var paths = Files.walk(folder, DEPTH)) {
      return paths
          .filter(path -> Files.exists(path.resolve("spec.yaml")))
          .sorted()
          .map(RunDirectory::read)
          .filter(directory -> directory.kind().equals(ImagesSpec.KIND))
          .map(ImageRun::read)
          .toList();
    } catch (UncheckedIOException e) {
      throw unreadable(folder, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw unreadable(folder, e);
    }
  }

  /** Names the folder inside, where it is that one. */
  private static UserException unreadable(Path folder, IOException e) {
    String inside = e instanceof FileSystemException of ? of.getFile() : null;
    return new UserException(
        (inside == null ? folder : inside) + ": cannot be read: " + WholeFile.reason(e), e);
  }

  private static ImageRun read(RunDirectory directory) {
    return new ImageRun(
        directory,
        ImagesSpec.read(directory),
        directory.has("result.json")
            ? Optional.of(ImagesResult.read(directory))
            : Optional.empty());
  }

  public Path path() {
    return directory.path();
  }

  public long seed() {
    return spec.seed();
  }

  public Method method() {
    return new Method(spec.model(), spec.placement(), spec.nets());
  }

  public Column column() {
    return new Column(spec.data(), spec.decoder());
  }

  /** The test log-likelihood, where it was computed. */
  public Optional<Double> logLikelihood(TestBinarisation binarisation) {
    return result.map(
        r ->
            switch (binarisation) {
              case FRESH -> r.logLikelihood();
              case FIXED -> r.logLikelihoodFixed();
            });
  }

  /** The values of all test images; none where the evaluation did not come to its end. */
  List<ImageRow> likelihoods(TestBinarisation binarisation, int samples, int repeat) {
    var key = new Likelihoods.Key(binarisation, samples, repeat);
    List<ImageRow> rows = new Likelihoods(directory).read(key);
    long images = result.map(ImagesResult::testImages).orElse(ALL_TEST_IMAGES);
    return rows.size() < images ? List.of() : rows;
  }

  /** What keeps a finished run from being compared with the paper's as it stands. */
  public List<String> caveats() {
    return result.map(this::caveats).orElse(List.of());
  }

  private List<String> caveats(ImagesResult found) {
    var caveats = new ArrayList<String>();
    if (found.brokeOffAtEpoch() != null) {
      caveats.add("seed " + seed() + " broke off in epoch " + found.brokeOffAtEpoch());
    }
    boolean stoppedEarly = found.epochs() < spec.epochs();
    if (!stoppedEarly && found.epochs() < PAPER_EPOCHS) {
      caveats.add(found.epochs() == 1 ? "1 epoch" : found.epochs() + " epochs");
    }
    if (spec.limitTrain() != null) {
      caveats.add(spec.limitTrain() + " training images");
    }
    Integer samples = found.importanceSamples();
    if (samples != null && samples != PAPER_SAMPLES) {
      caveats.add("S = " + samples);
    }
    if (found.testImages() != ALL_TEST_IMAGES) {
      caveats.add(found.testImages() + " test images");
    }
    return caveats;
  }
}
