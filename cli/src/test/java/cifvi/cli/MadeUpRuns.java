package cifvi.cli;

import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.models.ImageModel;
import cifvi.posterior.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Folders that look like those of image runs on MNIST with the small decoder. */
public record MadeUpRuns(Path folder) {
  public static final int IMAGES = 50;

  /** A run that has not come to its end. */
  public Path unfinished(ImageModel model, Placement placement, long seed, long epochs)
      throws IOException {
    Path path = folder.resolve(model + "-seed" + seed);
    Files.createDirectories(path.resolve("likelihoods"));
    var spec =
        ImagesSpec.paper(model, placement, seed)
            .with("epochs", epochs)
            .with("fixed_binarisation", true)
            .with("clip", 5)
            .with("engine", "eager");
    Files.writeString(path.resolve("spec.yaml"), spec.yaml());
    return path;
  }

  /** A run that early stopping ended. */
  public Path finished(ImageModel model, long seed, double logLikelihood) throws IOException {
    return finished(model, Placement.RELEASED, seed, 80, 1000, logLikelihood);
  }

  /** A run that was trained for so many of at most so many epochs. */
  public Path finished(
      ImageModel model,
      Placement placement,
      long seed,
      long epochs,
      long mostEpochs,
      double logLikelihood)
      throws IOException {
    Path path = unfinished(model, placement, seed, mostEpochs);
    var result =
        new ImagesResult(
            ImagesSpec.KIND,
            model.toString(),
            seed,
            540 * epochs,
            epochs,
            1,
            "eager",
            "cpu",
            9,
            1,
            "mnist",
            "small",
            placement.toString(),
            "released",
            54_000,
            0,
            epochs,
            null,
            -100,
            -100,
            0.3,
            IMAGES,
            logLikelihood,
            0.3,
            1000,
            logLikelihood + 0.5,
            0.3);
    Files.writeString(path.resolve("result.json"), result.json());
    return path;
  }

  /** The evaluation of each image: a common part, and this much more on every third. */
  public static void likelihoods(Path run, String name, double mean, double everyThird)
      throws IOException {
    String lines =
        IntStream.range(0, IMAGES)
            .mapToObj(i -> i + "," + (mean - i + (i % 3 == 0 ? everyThird : 0)) + ",-1")
            .collect(Collectors.joining("\n"));
    Files.writeString(
        run.resolve("likelihoods").resolve(name), "image,log_likelihood,elbo\n" + lines + "\n");
  }
}
