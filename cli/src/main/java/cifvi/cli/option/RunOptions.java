package cifvi.cli.option;

import cifvi.experiments.files.UserException;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options every run takes. */
public final class RunOptions {
  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Decides every random number (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--learning-rate",
      paramLabel = "RATE",
      defaultValue = "0.001",
      description = "Of Adam (default: ${DEFAULT-VALUE}).")
  private double learningRate;

  @Option(
      names = "--clip",
      description = "Largest gradient norm (default: 5 for spline flows, else Infinity).")
  private @Nullable Double clip;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "Threads inside a step (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--precision",
      defaultValue = "float32",
      description = "float32 or float64 (default: ${DEFAULT-VALUE}).")
  private String precision;

  @Option(
      names = "--engine",
      defaultValue = "auto",
      description = "auto, eager, fused or graph (default: ${DEFAULT-VALUE}).")
  private String engine;

  @Mixin private DeviceOption device;

  @Option(names = "--tf32", description = "Faster, less exact float32 products on a GPU.")
  private boolean tf32;

  @Option(
      names = "--placement",
      defaultValue = "paper",
      description = "Of the affine in u: paper or released (default: ${DEFAULT-VALUE}).")
  private String placement;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the run goes (default: runs/KIND-MODEL-seedS).")
  private @Nullable Path out;

  public long seed() {
    return seed;
  }

  public double learningRate() {
    return learningRate;
  }

  public int threads() {
    return threads;
  }

  public String engine() {
    return engine;
  }

  public boolean tf32() {
    return tf32;
  }

  public double clip(double byDefault) {
    return clip == null ? byDefault : clip;
  }

  public Precision precision() {
    return choice("--precision", precision, Precision.values());
  }

  public Placement placement() {
    return choice("--placement", placement, Placement.values());
  }

  public String device() {
    return device.name();
  }

  public Path out(String kind, String model) {
    return out == null ? Path.of("runs", kind + "-" + model + "-seed" + seed) : out;
  }

  /** The value whose name the user wrote. */
  public static <T> T choice(String option, String text, T[] values) {
    return Arrays.stream(values)
        .filter(value -> value.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new UserException(
                    option
                        + ": expected "
                        + String.join(" or ", Arrays.stream(values).map(Object::toString).toList())
                        + ", got "
                        + text));
  }
}
