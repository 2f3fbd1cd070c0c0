package cifvi.cli.run;

import cifvi.cli.kind.ImagesKind;
import cifvi.cli.option.ObjectiveOptions;
import cifvi.cli.option.RecipeOptions;
import cifvi.cli.option.RunOptions;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.images.BatchNormScale;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.images.ValidationNoise;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.LrSchedule;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi images}: one run of the image experiment, paper section 4.2. */
@Command(
    name = "images",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = "Learn a decoder of images with one inference model (paper section 4.2).",
    footer = {
      "Models: vae iwae maf-small maf-small-nobn maf-large cif-maf nsf-small nsf-large cif-nsf,",
      "and iwae-10, iwae-20 with 10 and 20 samples instead of 5.",
      "Stopped by Ctrl-C, a run is saved: go on with cifvi resume DIR."
    })
public final class ImagesCommand implements RunCommand {
  @Spec private CommandSpec spec;

  @Option(
      names = "--model",
      defaultValue = "cif-nsf",
      description = "Inference model, see below (default: ${DEFAULT-VALUE}).")
  private String model;

  @Option(
      names = "--data",
      defaultValue = "mnist",
      description = "mnist or fashion-mnist (default: ${DEFAULT-VALUE}).")
  private String data;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Folder with mnist/ and fashion-mnist/ (default: the user's cache).")
  private @Nullable Path dataDir;

  @Option(
      names = "--decoder",
      defaultValue = "small",
      description = "small or large (default: ${DEFAULT-VALUE}).")
  private String decoder;

  @Option(
      names = "--nets",
      defaultValue = "released",
      description = "Side networks of CIF-MAF: released or appendix (default: ${DEFAULT-VALUE}).")
  private String nets;

  @Option(
      names = "--epochs",
      defaultValue = "1000",
      description = "At most so many (default: ${DEFAULT-VALUE}).")
  private long epochs;

  @Option(
      names = "--patience",
      paramLabel = "N",
      description = "Epochs without a better bound (default: 50; cosine: any).")
  private @Nullable Integer patience;

  @Option(
      names = "--validation-noise",
      paramLabel = "WHICH",
      defaultValue = "fixed",
      description =
          "Of every epoch: fixed, as in the release, or fresh (default: ${DEFAULT-VALUE}).")
  private String validationNoise;

  @Option(
      names = "--validation-samples",
      paramLabel = "K",
      description = "Validate by the bound of K draws (default: of those trained).")
  private @Nullable Integer validationSamples;

  @Option(
      names = "--batch-norm-scale",
      paramLabel = "WHICH",
      defaultValue = "divided",
      description =
          "Scale before batch norms: divided out every epoch, or free (default: ${DEFAULT-VALUE}).")
  private String batchNormScale;

  @Option(
      names = "--batch",
      defaultValue = "100",
      description = "Images a step (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--limit-train",
      paramLabel = "N",
      description = "Train on the first N images only.")
  private @Nullable Integer limitTrain;

  @Option(
      names = "--limit-test",
      paramLabel = "N",
      description = "Test on the first N images only.")
  private @Nullable Integer limitTest;

  @Option(
      names = "--importance-samples",
      paramLabel = "S",
      defaultValue = "1000",
      description = "For the test log-likelihood; 0: skip it (default: ${DEFAULT-VALUE}).")
  private int importanceSamples;

  @Option(
      names = "--fixed-binarisation",
      description = "Test on the one binarisation all models share, too.")
  private boolean fixedBinarisation;

  @Mixin private RecipeOptions recipe;

  @Option(
      names = "--lr-warm-up",
      paramLabel = "N",
      description = "Epochs in which the learning rate rises from zero.")
  private @Nullable Long lrWarmUp;

  @Mixin private ObjectiveOptions objective;

  @Mixin private RunOptions run;

  @Override
  public Integer call() {
    return RunCommand.start(spec, new ImagesKind(), settings(), run.out(ImagesSpec.KIND, model));
  }

  @Override
  public ImagesSpec settings() {
    var chosen = RunOptions.choice("--model", model, ImageModel.values());
    return new ImagesSpec(
        ImagesSpec.KIND,
        chosen,
        RunOptions.choice("--data", data, DataSet.values()),
        dataDir == null ? null : dataDir.toAbsolutePath().normalize().toString(),
        RunOptions.choice("--decoder", decoder, Decoder.values()),
        run.placement(),
        RunOptions.choice("--nets", nets, ImageModel.Nets.values()),
        epochs,
        patience == null && recipe.lrSchedule() == LrSchedule.CONSTANT
            ? ImagesSpec.PATIENCE
            : patience,
        RunOptions.choice("--validation-noise", validationNoise, ValidationNoise.values()),
        validationSamples,
        RunOptions.choice("--batch-norm-scale", batchNormScale, BatchNormScale.values()),
        batch,
        limitTrain,
        limitTest,
        importanceSamples,
        fixedBinarisation,
        objective.objective(),
        objective.warmUp(),
        run.learningRate(),
        recipe.lrSchedule() == LrSchedule.CONSTANT ? null : recipe.lrSchedule(),
        lrWarmUp,
        recipe.average() == Average.NONE ? null : recipe.average(),
        run.clip(chosen.clip().orElse(Double.POSITIVE_INFINITY)),
        run.seed(),
        run.threads(),
        run.precision(),
        run.engine(),
        run.device(),
        run.tf32());
  }
}
