package cifvi.cli.report;

import cifvi.cli.report.images.ImagesContents;
import cifvi.cli.report.images.ImagesReportRun;
import cifvi.engine.eager.EagerEngine;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Checkpoints;
import cifvi.experiments.run.EarlyStopping;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.RunDirectory;
import cifvi.nn.Images;
import cifvi.posterior.Placement;
import cifvi.vi.Schedule;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Image runs whose numbers are made up and whose models are as they were initialised. */
public final class TinyImageRuns {
  private static final int SAMPLES = 10;
  private static final int TEST_IMAGES = 30;

  private TinyImageRuns() {}

  /** A VAE that stopped early, a CIF after all its epochs, and a run in its second epoch. */
  public static List<Path> in(Path folder) throws IOException {
    return List.of(
        run(folder.resolve("vae"), ImageModel.VAE, 100, 7, -100),
        run(folder.resolve("cif"), ImageModel.CIF_MAF, 7, 7, -99),
        run(folder.resolve("unfinished"), ImageModel.NSF_SMALL, 7, 2, -104));
  }

  /** The page about them, with test images at hand. */
  public static String page(List<Path> runs) {
    return page(runs, data());
  }

  /** The page about them where the data has gone. */
  public static String pageWithoutData(List<Path> runs) {
    return page(runs, null);
  }

  private static String page(List<Path> runs, @Nullable ImageData data) {
    List<ImagesReportRun> read =
        runs.stream()
            .map(RunDirectory::read)
            .map(
                directory ->
                    ImagesReportRun.read(
                        directory,
                        null,
                        _ -> {
                          if (data == null) {
                            throw new UserException("MNIST is not in <here>");
                          }
                          return data;
                        },
                        directory.file("figures")))
            .toList();
    return new Page(ImagesContents.of(read)).html();
  }

  private static ImageData data() {
    byte[] pixels = new byte[TEST_IMAGES * Images.PIXELS];
    byte[] labels = new byte[TEST_IMAGES];
    for (int i = 0; i < TEST_IMAGES; i++) {
      labels[i] = (byte) (i % 10);
      for (int p = 0; p < Images.PIXELS; p++) {
        pixels[i * Images.PIXELS + p] = (byte) ((i + p) % 7 == 0 ? 200 : 0);
      }
    }
    var set = new ImageSet(pixels, labels, TEST_IMAGES, Images.SIDE, Images.SIDE);
    return new ImageData(DataSet.MNIST, set, set);
  }

  private static Path run(Path path, ImageModel model, long most, int epochs, double end)
      throws IOException {
    ImagesSpec spec = spec(model, most);
    try (var directory = RunDirectory.create(path, spec)) {
      checkpoint(directory, spec);
      try (var log = CsvLog.from(directory.file("epochs.csv"), EpochRow.class, 0)) {
        LongStream.rangeClosed(1, epochs).mapToObj(epoch -> row(epoch, end)).forEach(log::add);
      }
      if (epochs > 2) {
        likelihoods(directory, end);
        directory.write("result.json", result(spec, epochs, end).json());
      }
    }
    return path;
  }

  private static void checkpoint(RunDirectory directory, ImagesSpec spec) {
    try (var model =
            spec.model()
                .build(spec.backend(), spec.seed(), spec.decoder(), spec.placement(), spec.nets());
        var engine =
            EagerEngine.seeded(
                model,
                spec.model().objective(),
                new StepOptions(spec.model().clip(), spec.seed(), spec.threads()))) {
      var trainer = new Trainer(engine, Schedule.constant(spec.learningRate()));
      var stopping = new EarlyStopping(spec.borne());
      Checkpoints.of(directory, spec)
          .save(
              new Checkpoints.State(
                  null, model.parameters(), engine.optimiser(), trainer, null, stopping));
    }
  }

  /** Rising towards {@code end} until epoch 5, which is the best. */
  private static EpochRow row(long epoch, double end) {
    double valid = end - 40.0 / epoch - (epoch > 5 ? 3 : 0);
    double best = epoch > 5 ? end - 8 : valid;
    return new EpochRow(
        epoch, 540 * epoch, valid - 2, valid, 0.4, best, Math.max(0, epoch - 5), null, 3.5);
  }

  private static void likelihoods(RunDirectory directory, double end) throws IOException {
    Files.createDirectories(directory.file("likelihoods"));
    for (String binarisation : List.of("fresh", "fixed")) {
      Path file = directory.file("likelihoods/" + binarisation + "-S" + SAMPLES + "-0.csv");
      try (var log = CsvLog.from(file, ImageRow.class, 0)) {
        for (int i = 0; i < TEST_IMAGES; i++) {
          double value = end + 20 * Math.sin(i) + 0.1 * Math.cos(i * end);
          log.add(new ImageRow(i, value, value - 5 - 0.2 * Math.cos(i)));
        }
      }
    }
  }

  private static ImagesSpec spec(ImageModel model, long epochs) {
    return ImagesSpec.paper(model, Placement.PAPER, 1)
        .with("epochs", epochs)
        .with("patience", 1)
        .with("limit_test", TEST_IMAGES)
        .with("importance_samples", SAMPLES)
        .with("fixed_binarisation", true)
        .with("engine", "eager");
  }

  private static ImagesResult result(ImagesSpec spec, int epochs, double end) {
    return new ImagesResult(
        ImagesSpec.KIND,
        spec.model().toString(),
        1,
        540L * epochs,
        epochs,
        95_953,
        "eager",
        "cpu",
        123.4,
        6.25,
        "mnist",
        "small",
        "paper",
        "released",
        54_000,
        0,
        5,
        null,
        end - 8,
        end - 5,
        0.27,
        TEST_IMAGES,
        end,
        0.26,
        SAMPLES,
        end + 0.1,
        0.26);
  }
}
