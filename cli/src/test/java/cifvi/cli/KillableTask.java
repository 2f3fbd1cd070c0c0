package cifvi.cli;

import cifvi.cli.kind.ImagesConsole;
import cifvi.cli.kind.ImagesEvaluate;
import cifvi.cli.option.ExitCode;
import cifvi.cli.progress.Interrupt;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.images.ImagesExperiment;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.nn.Images;
import cifvi.posterior.Placement;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process to be killed: begins a task in a folder, or goes on with it. Images are made up here,
 * as those of the commands have to be the real ones.
 */
enum KillableTask {
  /** Trains a mixture model and evaluates it. */
  MOG {
    @Override
    int run(Path run) {
      return Files.exists(run.resolve("spec.yaml"))
          ? cifvi("resume", run)
          : cifvi("mog", "--out", run, "--steps", MOG_STEPS, "--samples", 40, "--seed", 3);
    }
  },

  /** Evaluates a finished one better than it was. */
  MOG_EVALUATE {
    @Override
    int run(Path run) {
      return cifvi("evaluate", run, "--outer", 10_001, "--inner", 100);
    }
  },

  /** Trains an image model, three epochs or so a second, and tests it. */
  IMAGES {
    @Override
    int run(Path run) {
      var experiment = new ImagesExperiment(_ -> DATA);
      var result =
          Files.exists(run.resolve("spec.yaml"))
              ? Run.resume(experiment, run, Continuation.PLAIN, RunListener.SILENT)
              : Run.start(experiment, spec(), run, RunListener.SILENT);
      return result.isPresent() ? ExitCode.DONE : ExitCode.FAILED;
    }
  },

  /** Tests a finished one with more samples than it was. */
  IMAGES_EVALUATE {
    @Override
    int run(Path run) {
      try (var directory = RunDirectory.open(run);
          var interrupt = Interrupt.install()) {
        new ImagesEvaluate(
                directory, null, DATA.test(), TEST_IMAGES, 2 * SAMPLES, 1, null, null, null)
            .run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new ImagesConsole(ImagesSpec.read(directory), interrupt));
      }
      return ExitCode.DONE;
    }
  };

  /** What the process says when it begins to work. */
  static final String BEGINS = "begins";

  private static final int MOG_STEPS = 2500;
  private static final int TRAIN_IMAGES = 1000;
  private static final int BATCH = 50;
  private static final int EPOCHS = 12;
  private static final int TEST_IMAGES = 600;
  private static final int SAMPLES = 20;
  private static final ImageData DATA =
      new ImageData(DataSet.MNIST, bars(TRAIN_IMAGES), bars(TEST_IMAGES));

  abstract int run(Path run);

  /** Whether it takes a finished run. */
  boolean evaluates() {
    return this == MOG_EVALUATE || this == IMAGES_EVALUATE;
  }

  /** What makes the run that it takes. */
  KillableTask training() {
    return this == MOG_EVALUATE ? MOG : this == IMAGES_EVALUATE ? IMAGES : this;
  }

  /** How many it takes in all; a tenth of the images is for validation. */
  long steps() {
    return this == MOG ? MOG_STEPS : EPOCHS * (TRAIN_IMAGES * 9 / 10 / BATCH);
  }

  private static int cifvi(Object... arguments) {
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    return Main.commandLine().execute(words);
  }

  private static ImageSet bars(int count) {
    byte[] pixels = new byte[count * Images.PIXELS];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) (i % 10);
      for (int row = 4; row < 24; row++) {
        int at = i * Images.PIXELS + row * Images.SIDE + 4 + 2 * labels[i];
        pixels[at] = (byte) 255;
        pixels[at + 1] = (byte) (100 + i % 100);
      }
    }
    return new ImageSet(pixels, labels, count, Images.SIDE, Images.SIDE);
  }

  private static ImagesSpec spec() {
    return ImagesSpec.paper(ImageModel.VAE, Placement.PAPER, 3)
        .with("epochs", EPOCHS)
        .with("patience", EPOCHS)
        .with("batch", BATCH)
        .with("limit_test", TEST_IMAGES)
        .with("importance_samples", SAMPLES)
        .with("fixed_binarisation", true)
        .with("engine", "eager");
  }

  /** The task and its folder. */
  public static void main(String[] args) {
    System.out.println(BEGINS);
    System.exit(valueOf(args[0]).run(Path.of(args[1])));
  }
}
