package cifvi.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Folders that look like those of image runs. */
record MadeUpRuns(Path folder) {
  static final int IMAGES = 50;

  /** The settings of a run that takes part in Table 1. */
  record Run(String model, String data, String decoder, String placement, long seed) {
    static Run small(String model, long seed) {
      return new Run(model, "mnist", "small", "released", seed);
    }

    String name() {
      return "%s-%s-%s-seed%d".formatted(model, data, decoder, seed);
    }
  }

  /** A run that has not come to its end. */
  Path unfinished(Run run, int epochs) throws IOException {
    Path path = folder.resolve(run.name());
    Files.createDirectories(path.resolve("likelihoods"));
    Files.writeString(
        path.resolve("spec.yaml"),
        "kind: images\nmodel: %s\ndata: %s\ndecoder: %s\nplacement: %s\nnets: released\nseed: %d\nepochs: %d\n"
            .formatted(run.model, run.data, run.decoder, run.placement, run.seed, epochs));
    return path;
  }

  /** A run that was trained for so many of at most so many epochs. */
  Path finished(Run run, int epochs, int mostEpochs, double logLikelihood) throws IOException {
    Path path = unfinished(run, mostEpochs);
    Files.writeString(
        path.resolve("result.json"),
        """
        {"kind": "images", "model": "%s", "data": "%s", "decoder": "%s", "placement": "%s",
         "nets": "released", "seed": %d, "epochs": %d, "importance_samples": 1000,
         "test_images": %d, "log_likelihood": %s, "log_likelihood_fixed": %s, "seconds": 9}
        """
            .formatted(
                run.model,
                run.data,
                run.decoder,
                run.placement,
                run.seed,
                epochs,
                IMAGES,
                logLikelihood,
                logLikelihood + 0.5));
    return path;
  }

  /** The evaluation of each image: a common part, and this much more on every third. */
  static void likelihoods(Path run, String name, double mean, double everyThird)
      throws IOException {
    String lines =
        IntStream.range(0, IMAGES)
            .mapToObj(i -> i + "," + (mean - i + (i % 3 == 0 ? everyThird : 0)) + ",-1")
            .collect(Collectors.joining("\n"));
    Files.writeString(
        run.resolve("likelihoods").resolve(name), "image,log_likelihood,elbo\n" + lines + "\n");
  }
}
