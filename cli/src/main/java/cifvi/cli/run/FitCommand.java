package cifvi.cli.run;

import cifvi.cli.kind.FitKind;
import cifvi.cli.option.DeviceOption;
import cifvi.cli.option.ObjectiveOptions;
import cifvi.cli.option.RunOptions;
import cifvi.experiments.fit.FitSpec;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.RunSpec;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi fit}: a posterior of one's own. */
@Command(
    name = "fit",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = "Approximate a posterior of your own, and draw from it.",
    footer = "Stopped by Ctrl-C, a fit is saved: go on with cifvi resume DIR.")
public final class FitCommand implements RunCommand {
  @Spec private CommandSpec spec;

  @Option(
      names = "--target",
      paramLabel = "NAME",
      description =
          "funnel, banana, rings, mixture40, many-well, eight-schools, eight-schools-centered, brownian or gaussian.")
  private @Nullable String target;

  @Option(
      names = "--dimensions",
      paramLabel = "N",
      description = "Of funnel, many-well, gaussian, or of a class of libtorch.")
  private @Nullable Integer dimensions;

  @Option(
      names = "--regression",
      arity = "1..2",
      hideParamSyntax = true,
      paramLabel = "KIND FILE",
      description = "logistic, linear or poisson regression of a CSV file …")
  private @Nullable List<String> regression;

  @Option(
      names = "--response",
      paramLabel = "COLUMN",
      description = "… of this column on all others.")
  private @Nullable String response;

  @Option(
      names = "--class",
      paramLabel = "NAME",
      description = "A compiled cifvi.LogDensity or cifvi.target.Target …")
  private @Nullable String className;

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description = "… to be found in these jars and folders.")
  private @Nullable String classPath;

  @Option(
      names = "--stan",
      paramLabel = "FILE",
      description = "A Stan model: a library of BridgeStan, or a .stan file to compile …")
  private @Nullable Path stan;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      description = "… with these data, a .json file or JSON itself …")
  private @Nullable String data;

  @Option(names = "--generated", description = "… and its generated quantities in the draws.")
  private boolean generated;

  @Option(
      names = "--bridgestan",
      paramLabel = "DIR",
      description = "BridgeStan's folder, to compile with (default: $BRIDGESTAN).")
  private @Nullable Path bridgestan;

  @Option(
      names = "--family",
      defaultValue = "auto",
      description =
          "mean-field, full-rank, mixture, hvm, sivi, [cif-]maf, [cif-]nsf, [cif-]coupling-affine,"
              + " [cif-]coupling-nsf, or auto: from the first up, as far as it helps"
              + " (default: ${DEFAULT-VALUE}).")
  private String family;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Training steps (default: 1000 for normals, 4000 for flows).")
  private @Nullable Long steps;

  @Option(
      names = "--samples",
      defaultValue = "256",
      description = "Draws a step (default: ${DEFAULT-VALUE}).")
  private int samples;

  @Option(
      names = "--starts",
      defaultValue = "1",
      description =
          "Fit so many times from other places, keep the best (default: ${DEFAULT-VALUE}).")
  private int starts;

  @Option(
      names = "--draws",
      defaultValue = "4000",
      description = "Draws in the file (default: ${DEFAULT-VALUE}).")
  private int draws;

  @Option(
      names = "--format",
      defaultValue = "csv",
      description = "Of the draws: csv, npz or zarr (default: ${DEFAULT-VALUE}).")
  private String format;

  @Option(
      names = "--reference",
      paramLabel = "FILE",
      description = "Draws from elsewhere, of NUTS for instance, to compare with: CSV.")
  private @Nullable String reference;

  @Option(
      names = "--calibrate",
      paramLabel = "N",
      description = "Fit N simulated data sets, too: are ranks uniform?")
  private @Nullable Integer calibrate;

  @Option(
      names = "--learning-rate",
      paramLabel = "RATE",
      description = "Of Adam (default: 0.03 for normals, 0.003 for flows).")
  private @Nullable Double learningRate;

  @Option(
      names = "--lr-schedule",
      paramLabel = "NAME",
      defaultValue = "cosine",
      description = "cosine or constant (default: ${DEFAULT-VALUE}).")
  private String lrSchedule;

  @Option(
      names = "--average",
      defaultValue = "none",
      description = "Average of the weights: none or ema (default: ${DEFAULT-VALUE}).")
  private String average;

  @Mixin private ObjectiveOptions objective;

  @Option(
      names = "--clip",
      defaultValue = "10",
      description = "Largest gradient norm (default: ${DEFAULT-VALUE}).")
  private double clip;

  @Option(
      names = "--placement",
      defaultValue = "paper",
      description = "Of the affine in u: paper or released (default: ${DEFAULT-VALUE}).")
  private String placement;

  @Option(
      names = "--precision",
      defaultValue = "float32",
      description = "float32 or float64 (default: ${DEFAULT-VALUE}).")
  private String precision;

  @Option(
      names = "--initial-scale",
      paramLabel = "SD",
      description = "Of the first draws, unconstrained (default: 1).")
  private @Nullable Double initialScale;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Decides every random number (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--threads",
      description = "Of kernels and density (default: one a core, at most 4).")
  private int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);

  @Option(
      names = "--engine",
      defaultValue = "auto",
      description = "auto, eager, fused or graph (default: ${DEFAULT-VALUE}).")
  private String engine;

  @Mixin private DeviceOption device;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the fit goes (default: runs/fit-WHAT-seedS).")
  private @Nullable Path out;

  @Override
  public Integer call() {
    FitSpec settings = settings();
    String what = settings.subject().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    Path folder = out == null ? Path.of("runs", FitSpec.KIND + "-" + what + "-seed" + seed) : out;
    return RunCommand.start(spec, new FitKind(), settings, folder);
  }

  @Override
  public FitSpec settings() {
    boolean table = regression != null && regression.size() == 2;
    RunSpec.require(
        regression == null || table,
        "--regression: expected a kind and a file, such as logistic data.csv, got " + regression);
    return new FitSpec(
        FitSpec.KIND,
        target,
        dimensions,
        regression == null ? null : regression.getFirst(),
        regression == null ? stanData() : absolute(regression.getLast()),
        response,
        className,
        classPath,
        stan == null ? null : absolute(stan.toString()),
        generated ? true : null,
        bridgestan == null ? null : absolute(bridgestan.toString()),
        family,
        steps,
        samples,
        starts,
        draws,
        learningRate,
        lrSchedule,
        average,
        objective.objective(NamedObjective.ELBO),
        objective.warmUp(),
        clip,
        RunOptions.choice("--placement", placement, Placement.values()),
        initialScale,
        format,
        reference == null ? null : absolute(reference),
        calibrate,
        seed,
        threads,
        RunOptions.choice("--precision", precision, Precision.values()),
        engine,
        device.name(),
        false);
  }

  private @Nullable String stanData() {
    return data == null || data.strip().startsWith("{") ? data : absolute(data.strip());
  }

  /** So that the run can be gone on with from elsewhere. */
  private static String absolute(String file) {
    return Path.of(file).toAbsolutePath().normalize().toString();
  }
}
