package cifvi.experiments.mog;

import cifvi.experiments.models.FamilySizes;
import cifvi.experiments.models.MogFamily;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.LrSchedule;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Schedule;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one mixture run, under the names of the command line's options; the paper's are
 * the defaults there.
 *
 * @param samples rows of a step, each with as many draws as the objective takes
 * @param initFrom folder of the run whose parameters this one begins with; null for none
 * @param r the auxiliary density of a CIF
 * @param warmUp steps in which the weight of log p rises; null for none
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
    @Nullable FamilySizes sizes,
    MogModel.R r,
    NamedObjective objective,
    @Nullable Long warmUp,
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
   * continuously-indexed flow; both with affine couplings in the place of splines; and the families
   * of section 3.2.
   */
  public enum Flow {
    NSF,
    NSF_AFFINE,
    CIF_NSF,
    COUPLING_AFFINE,
    CIF_COUPLING_AFFINE,
    HVM,
    SIVI,
    HVI;

    public boolean cif() {
      return this == CIF_NSF || this == CIF_COUPLING_AFFINE;
    }

    /** Where it is none of the flows. */
    public Optional<MogFamily> family() {
      return switch (this) {
        case HVM -> Optional.of(MogFamily.HVM);
        case SIVI -> Optional.of(MogFamily.SIVI);
        case HVI -> Optional.of(MogFamily.HVI);
        default -> Optional.empty();
      };
    }

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
        initFrom == null || model == Flow.CIF_NSF || model == Flow.NSF,
        "--init-from: starts a cif-nsf or nsf from a trained one, got model " + model);
    RunSpec.require(
        model != Flow.SIVI || sigma0.equals(new Sigma0(1, false)),
        "--sigma0: the noise of sivi is a standard normal, got " + sigma0);
    RunSpec.require(
        r == MogModel.R.NORMAL || model.cif(), "--r: is that of a CIF, got model " + model);
    RunSpec.require(
        r != MogModel.R.MIXTURE || !(objective.objective() instanceof Objective.Iwhvi),
        "--objective: "
            + objective
            + " goes through draws of r, and those of a mixture carry no"
            + " gradient; use --r flow");
    objective.requireFor(model);
    if (initFrom == null || model != Flow.CIF_NSF) {
      objective.requireWhole();
    }
    RunSpec.requireWarmUp(warmUp);
    requireSizes(model, sizes);
  }

  private static void requireSizes(Flow model, @Nullable FamilySizes sizes) {
    if (sizes != null) {
      Set<String> known = model.family().map(MogFamily::sizes).orElse(Set.of());
      for (String name : sizes.chosen().keySet()) {
        RunSpec.require(
            known.contains(name),
            "--sizes: %s has no %s, but %s".formatted(model, name, new TreeSet<>(known)));
      }
    }
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
        null,
        MogModel.R.NORMAL,
        NamedObjective.ELBO,
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
        sizes,
        r,
        objective,
        warmUp,
        seed,
        threads,
        precision,
        engine,
        device,
        tf32);
  }

  /** The same with another value of one setting. */
  public MogSpec with(String key, @Nullable Object value) {
    return RunSpec.with(this, key, value, MogSpec.class);
  }

  /** The same on another device. */
  public MogSpec on(String device) {
    return RunSpec.onDevice(this, device, MogSpec.class);
  }

  /** The model with the starting values of the seed. */
  public Model build(Backend backend) {
    FamilySizes chosen = sizes == null ? FamilySizes.NONE : sizes;
    return model
        .family()
        .map(
            family ->
                family.build(backend, seed, components, sigma0.start(), sigma0.learn(), chosen))
        .orElseGet(() -> mogModel().build(backend, seed));
  }

  /** Evaluations of log p that a step takes, those for gradients of it inside a layer counted. */
  public long evaluations() {
    FamilySizes chosen = sizes == null ? FamilySizes.NONE : sizes;
    return (long) samples
        * objective.objective().draws()
        * model.family().map(family -> family.evaluations(chosen)).orElse(1);
  }

  public MogModel mogModel() {
    return new MogModel(
        model.cif(),
        components,
        sigma0.start(),
        sigma0.learn(),
        tailBound,
        placement,
        model == Flow.NSF_AFFINE,
        model == Flow.COUPLING_AFFINE || model == Flow.CIF_COUPLING_AFFINE,
        r);
  }

  /** A cosine ends with the last step: more of them would have changed every one. */
  @Override
  public Set<String> growing() {
    return lrSchedule == LrSchedule.CONSTANT ? Set.of("steps") : Set.of();
  }

  public Schedule schedule() {
    return lrSchedule.over(learningRate, steps);
  }

  public static MogSpec read(RunDirectory directory) {
    return RunSpec.read(directory, MogSpec.class);
  }

  public static MogSpec parse(String yaml) {
    return RunSpec.parse(yaml, MogSpec.class);
  }
}
