package cifvi.experiments.mog;

import cifvi.experiments.models.MogModel;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import cifvi.vi.Schedule;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one mixture run, under the names of the command line's options; the paper's are
 * the defaults there.
 */
public record MogSpec(
    String kind,
    Flow model,
    int components,
    Sigma0 sigma0,
    double tailBound,
    Placement placement,
    long steps,
    int samples,
    double learningRate,
    LrSchedule lrSchedule,
    Average average,
    double clip,
    @Nullable String initFrom,
    long seed,
    int threads,
    Precision precision,
    String engine,
    String device,
    boolean tf32)
    implements RunSpec {
  public static final String KIND = "mog";

  /** As many as noise has addresses for. */
  private static final long MOST_STEPS = (1L << 32) - 1;

  /** Some seconds a step, within which a run cannot be stopped. */
  private static final int MOST_SAMPLES = 1_000_000;

  /**
   * The plain flow, the same with a trainable affine map after its last step, and the
   * continuously-indexed flow.
   */
  public enum Flow {
    NSF,
    NSF_AFFINE,
    CIF_NSF;

    @Override
    public String toString() {
      return option(name());
    }
  }

  public enum LrSchedule {
    CONSTANT,
    COSINE;

    @Override
    public String toString() {
      return option(name());
    }
  }

  /** Which parameters are evaluated: the last, or an exponential moving average of all. */
  public enum Average {
    NONE,
    EMA;

    @Override
    public String toString() {
      return option(name());
    }
  }

  private static String option(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public MogSpec {
    RunSpec.require(kind.equals(KIND), "kind: expected mog, got " + kind);
    RunSpec.require(
        components == 9 || components == 16, "--components: expected 9 or 16, got " + components);
    RunSpec.requireCount("--steps", steps, MOST_STEPS);
    RunSpec.requireCount("--samples", samples, MOST_SAMPLES);
    RunSpec.requirePositive("--tail-bound", tailBound);
    RunSpec.requirePositive("--learning-rate", learningRate);
    RunSpec.requirePositive("--clip", clip);
    RunSpec.requireCommon(threads, engine, device, tf32);
    RunSpec.require(
        initFrom == null || model == Flow.CIF_NSF,
        "--init-from: starts a cif-nsf from a trained flow, got model " + model);
  }

  /** The paper's settings: 1000 samples, Adam 10⁻³ throughout, clipping at 5, B = 3. */
  public static MogSpec paper(
      Flow model, Placement placement, int components, Sigma0 sigma0, long steps, long seed) {
    return new MogSpec(
        KIND,
        model,
        components,
        sigma0,
        3,
        placement,
        steps,
        1000,
        1e-3,
        LrSchedule.CONSTANT,
        Average.NONE,
        5,
        null,
        seed,
        1,
        Precision.FLOAT32,
        "auto",
        "cpu",
        false);
  }

  /** The same with the learning rate falling from this to zero along a cosine. */
  public MogSpec withCosine(double from) {
    return new MogSpec(
        kind,
        model,
        components,
        sigma0,
        tailBound,
        placement,
        steps,
        samples,
        from,
        LrSchedule.COSINE,
        average,
        clip,
        initFrom,
        seed,
        threads,
        precision,
        engine,
        device,
        tf32);
  }

  /** The same on another device. */
  public MogSpec on(String device) {
    return RunSpec.onDevice(this, device, MogSpec.class);
  }

  public MogModel mogModel() {
    return new MogModel(
        model == Flow.CIF_NSF,
        components,
        sigma0.start(),
        sigma0.learn(),
        tailBound,
        placement,
        model == Flow.NSF_AFFINE);
  }

  /** A cosine ends with the last step: more of them would have changed every one. */
  @Override
  public Set<String> growing() {
    return lrSchedule == LrSchedule.CONSTANT ? Set.of("steps") : Set.of();
  }

  public Schedule schedule() {
    return switch (lrSchedule) {
      case CONSTANT -> Schedule.constant(learningRate);
      case COSINE -> Schedule.cosine(learningRate, steps);
    };
  }

  public static MogSpec read(RunDirectory directory) {
    return RunSpec.read(directory, MogSpec.class);
  }

  public static MogSpec parse(String yaml) {
    return RunSpec.parse(yaml, MogSpec.class);
  }
}
