package cifvi.experiments.fit;

import cifvi.Family;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one fit, under the names of the command line's options. What is fitted is one of
 * {@code target}, {@code regression}, {@code class} and {@code stan}; absent numbers are the
 * library's defaults.
 *
 * @param target the name of a known density
 * @param dimensions of a target that has any number of them, or of a class that cannot say
 * @param regression {@code logistic}, {@code linear} or {@code poisson}, of the column {@code
 *     response} of the table {@code data}
 * @param className a density that somebody has compiled, to be found in {@code classPath}
 * @param stan a library that BridgeStan compiled, or a model that {@code bridgestan} is to compile;
 *     {@code data} is a file of JSON then, or JSON itself
 * @param generated whether draws have the generated quantities of a Stan model
 * @param bridgestan the folder of BridgeStan; null for that of the environment
 * @param steps of a flow; null for its default
 * @param warmUp steps in which the weight of log p rises; null for none
 * @param clip largest norm of a gradient
 * @param format of the file with draws
 * @param calibrate simulations to calibrate with
 * @param reference a CSV file with draws from elsewhere, to compare with
 */
public record FitSpec(
    String kind,
    @Nullable String target,
    @Nullable Integer dimensions,
    @Nullable String regression,
    @Nullable String data,
    @Nullable String response,
    @Nullable String className,
    @Nullable String classPath,
    @Nullable String stan,
    @Nullable Boolean generated,
    @Nullable String bridgestan,
    String family,
    @Nullable Long steps,
    int samples,
    int starts,
    int draws,
    @Nullable Double learningRate,
    String lrSchedule,
    String average,
    NamedObjective objective,
    @Nullable Long warmUp,
    double clip,
    Placement placement,
    @Nullable Double initialScale,
    String format,
    @Nullable String reference,
    @Nullable Integer calibrate,
    long seed,
    int threads,
    Precision precision,
    String engine,
    String device,
    boolean tf32)
    implements RunSpec {
  public static final String KIND = "fit";

  private static final long MOST_STEPS = (1L << 32) - 1;
  private static final int MOST_SAMPLES = 1_000_000;
  private static final int MOST_STARTS = 1000;
  private static final int MOST_SIMULATIONS = 100_000;
  private static final int MOST_DRAWS = 100_000_000;
  private static final List<String> FORMATS = List.of("csv", "npz", "zarr");

  public FitSpec {
    RunSpec.require(kind.equals(KIND), "kind: expected fit, got " + kind);
    long sources = Stream.of(target, regression, className, stan).filter(s -> s != null).count();
    RunSpec.require(
        sources == 1,
        "expected one of --target, --regression, --class and --stan, got %s"
            .formatted(sources == 0 ? "none" : "several"));
    RunSpec.require(
        regression == null || (data != null && response != null),
        "--regression: expected a file, and --response with one of its columns");
    RunSpec.require(
        className == null || classPath != null,
        "--class: expected --class-path with where to find " + className);
    RunSpec.require(
        stan != null || (generated == null && bridgestan == null),
        "--generated and --bridgestan: are for --stan: leave them out");
    RunSpec.require(
        stan != null || regression != null || data == null, "--data: is for --stan: leave it out");
    requireOneOf("--family", family, Stream.of(Family.values()).map(Family::toString).toList());
    requireOneOf("--lr-schedule", lrSchedule, List.of("cosine", "constant"));
    requireOneOf("--average", average, List.of("none", "ema"));
    objective.requireFor(family);
    objective.requireWhole();
    RunSpec.requireWarmUp(warmUp);
    requireOneOf("--format", format, FORMATS);
    if (steps != null) {
      RunSpec.requireCount("--steps", steps, MOST_STEPS);
    }
    if (dimensions != null) {
      RunSpec.requireCount("--dimensions", dimensions, Integer.MAX_VALUE);
    }
    if (calibrate != null) {
      RunSpec.requireCount("--calibrate", calibrate, MOST_SIMULATIONS);
    }
    if (learningRate != null) {
      RunSpec.requirePositive("--learning-rate", learningRate);
    }
    if (initialScale != null) {
      RunSpec.requirePositive("--initial-scale", initialScale);
    }
    RunSpec.requireCount("--samples", samples, MOST_SAMPLES);
    RunSpec.requireCount("--starts", starts, MOST_STARTS);
    RunSpec.requireCount("--draws", draws, MOST_DRAWS);
    RunSpec.requirePositive("--clip", clip);
    RunSpec.requireCommon(threads, engine, device, tf32);
  }

  private static void requireOneOf(String option, String value, List<String> expected) {
    RunSpec.require(
        expected.contains(value),
        "%s: expected %s, got %s".formatted(option, String.join(", ", expected), value));
  }

  /** Where the draws go. */
  public String drawsFile() {
    return "draws." + format;
  }

  /** What is fitted, for people. */
  public String subject() {
    if (target != null) {
      return target;
    }
    if (regression != null) {
      return String.format(Locale.ROOT, "%s regression of %s", regression, response);
    }
    return stan != null ? StanSource.subject(stan) : String.valueOf(className);
  }

  /** A cosine ends with the last step, and a family is left when it has had all of its steps. */
  @Override
  public Set<String> growing() {
    return Set.of();
  }

  public static FitSpec read(RunDirectory directory) {
    return RunSpec.read(directory, FitSpec.class);
  }
}
