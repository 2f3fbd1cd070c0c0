package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.data.Binarisation;
import cifvi.experiments.data.Binarisation.Part;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.LogWeights;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Runs on {@link TinyImages}, and what is true of every one of them. */
final class TinyRuns {
  private TinyRuns() {}

  static Optional<ImagesResult> start(ImagesSpec spec, Path out, RunListener listener) {
    return Run.start(new ImagesExperiment(_ -> TinyImages.DATA), spec, out, listener);
  }

  static Optional<ImagesResult> resume(Path path) {
    return Run.resume(
        new ImagesExperiment(_ -> TinyImages.DATA), path, Continuation.PLAIN, RunListener.SILENT);
  }

  static RunListener stopAfter(long steps) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < steps;
      }
    };
  }

  static void assertStoppedIsTheSame(Path folder, ImagesSpec spec, RunListener stop)
      throws IOException {
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    assertThat(start(spec, whole, RunListener.SILENT)).isPresent();
    assertThat(start(spec, parts, stop)).isEmpty();
    assertThat(resume(parts)).isPresent();
    for (String file :
        new String[] {
          "checkpoints/latest.safetensors",
          "checkpoints/best.safetensors",
          "likelihoods/fresh-S4-0.csv",
          "likelihoods/fixed-S4-0.csv"
        }) {
      assertThat(parts.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(withoutTimes(parts, "result.json")).isEqualTo(withoutTimes(whole, "result.json"));
    assertThat(withoutTimes(parts, "epochs.csv")).isEqualTo(withoutTimes(whole, "epochs.csv"));
  }

  /** {@code seconds} is the last column of epochs.csv. */
  private static String withoutTimes(Path run, String file) throws IOException {
    return Files.readString(run.resolve(file))
        .replaceAll("\"(seconds|ms_per_step)\" : [^,]*", "")
        .replaceAll(",[^,\n]*\n", "\n");
  }

  static ImagesResult assertBestIsTested(ImagesSpec spec, Path run) {
    ImagesResult result = start(spec, run, RunListener.SILENT).orElseThrow();
    var directory = RunDirectory.read(run);
    var epochs = EpochRow.read(directory);
    EpochRow best = epochs.get((int) result.bestEpoch() - 1);
    assertThat(epochs).hasSize((int) result.epochs());
    assertThat(epochs).allMatch(row -> row.validElbo() <= best.validElbo());
    assertThat(result.validElboBest()).isEqualTo(best.validElbo());
    try (var trained = Run.load(new ImagesExperiment(), directory, null, RunListener.SILENT)) {
      var train = TinyImages.DATA.train();
      int[] validation = spec.split(train).validation();
      var images =
          new BinaryImages(
              trained.model().parameters().backend(),
              new Binarisation(train, spec.seed(), Part.VALIDATION),
              validation);
      var again =
          new ImagesEvaluation(trained.model(), LogWeights.eager(trained.model()), spec.seed())
              .validate(images, spec.validationDraws(), 1, Progress.SILENT);
      assertThat(again.mean()).isEqualTo(best.validElbo());
    }
    return result;
  }
}
