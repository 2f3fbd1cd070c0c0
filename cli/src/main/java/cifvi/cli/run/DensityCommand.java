package cifvi.cli.run;

import cifvi.cli.kind.DensityKind;
import cifvi.cli.option.RunOptions;
import cifvi.density.DensityFamily;
import cifvi.density.DensityShape.Inference;
import cifvi.experiments.density.DensitySpec;
import cifvi.experiments.density.PlaneSet;
import cifvi.experiments.density.Shares;
import cifvi.experiments.files.UserException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi density DATA}: the density that rows of numbers come from. */
@Command(
    name = "density",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = "Estimate the density of a table, or of a set of points in the plane.",
    footer = {
      "Sets: two-moons checkerboard rings spirals eight-gaussians pinwheel picture.",
      "Stopped by Ctrl-C, a run is saved: go on with cifvi resume DIR."
    })
public final class DensityCommand implements RunCommand {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "DATA",
      description = "A CSV file, a PNG picture, or the name of a set, see below.")
  private @Nullable String data;

  @Option(names = "--data", paramLabel = "DATA", description = "The same, as in sweeps.")
  private @Nullable String dataOption;

  @Option(
      names = "--model",
      defaultValue = "cif-nsf",
      description = "nsf, maf, cif-nsf or cif-maf (default: ${DEFAULT-VALUE}).")
  private String model;

  @Option(
      names = "--given",
      paramLabel = "COLUMNS",
      description = "Their density given these columns, such as age,height.")
  private @Nullable String given;

  @Option(names = "--rows", paramLabel = "N", description = "Of a set or picture (default: 20000).")
  private @Nullable Integer rows;

  @Option(
      names = "--split",
      paramLabel = "SHARES",
      defaultValue = "0.8,0.1,0.1",
      description = "To train, validate and test with (default: ${DEFAULT-VALUE}).")
  private String split;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "So many, the rate falling to 0; else validation ends training.")
  private @Nullable Long steps;

  @Option(
      names = "--epochs",
      defaultValue = "1000",
      description = "At most so many validations (default: ${DEFAULT-VALUE}).")
  private long epochs;

  @Option(
      names = "--patience",
      defaultValue = "20",
      description = "Validations without a better bound (default: ${DEFAULT-VALUE}).")
  private int patience;

  @Option(
      names = "--batch",
      defaultValue = "256",
      description = "Rows a step (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--flow-steps",
      paramLabel = "N",
      defaultValue = "5",
      description = "Of the flow (default: ${DEFAULT-VALUE}).")
  private int flowSteps;

  @Option(
      names = "--hidden",
      paramLabel = "N",
      description = "Width of its networks (default: 32, more for many columns).")
  private @Nullable Integer hidden;

  @Option(
      names = "--bins",
      defaultValue = "8",
      description = "Of its splines (default: ${DEFAULT-VALUE}).")
  private int bins;

  @Option(
      names = "--tail-bound",
      defaultValue = "3",
      description = "Box of its splines (default: ${DEFAULT-VALUE}).")
  private double tailBound;

  @Option(
      names = "--index",
      paramLabel = "N",
      description = "Dimension of u (default: half the columns, at most 4).")
  private @Nullable Integer index;

  @Option(
      names = "--side-hidden",
      paramLabel = "N",
      description = "Width of the networks of u (default: 10; 32 with --given).")
  private @Nullable Integer sideHidden;

  @Option(
      names = "--inference",
      defaultValue = "normal",
      description = "q(u|w): normal, or cif, itself one (default: ${DEFAULT-VALUE}).")
  private String inference;

  @Option(
      names = "--mixture",
      paramLabel = "N",
      defaultValue = "1",
      description = "Normals that r(u|w) is a mixture of (default: ${DEFAULT-VALUE}).")
  private int mixture;

  @Option(
      names = "--importance-samples",
      paramLabel = "S",
      defaultValue = "100",
      description = "For the test log-likelihood, even (default: ${DEFAULT-VALUE}).")
  private int importanceSamples;

  @Mixin private RunOptions run;

  @Override
  public Integer call() {
    DensitySpec settings = settings();
    String what = settings.subject().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return RunCommand.start(
        spec, new DensityKind(), settings, run.out(DensitySpec.KIND, what + "-" + model));
  }

  @Override
  public DensitySpec settings() {
    return new DensitySpec(
        DensitySpec.KIND,
        source(),
        given,
        rows,
        Shares.parse(split),
        RunOptions.choice("--model", model, DensityFamily.values()),
        run.placement(),
        RunOptions.choice("--inference", inference, Inference.values()),
        flowSteps,
        hidden,
        bins,
        tailBound,
        index,
        sideHidden,
        mixture,
        steps,
        epochs,
        patience,
        batch,
        importanceSamples,
        run.learningRate(),
        run.clip(5),
        run.seed(),
        run.threads(),
        run.precision(),
        run.engine(),
        run.device(),
        run.tf32());
  }

  /** The name of a set, or a file that the run finds again from elsewhere. */
  private String source() {
    if ((data == null) == (dataOption == null)) {
      throw new UserException(
          "DATA: expected a CSV file, a PNG picture or one of "
              + Arrays.stream(PlaneSet.values())
                  .map(PlaneSet::toString)
                  .collect(Collectors.joining(", "))
              + (data == null ? ", got none" : ", got two"));
    }
    String named = data == null ? Objects.requireNonNull(dataOption) : data;
    return PlaneSet.named(named).isPresent()
        ? named
        : Path.of(named).toAbsolutePath().normalize().toString();
  }
}
