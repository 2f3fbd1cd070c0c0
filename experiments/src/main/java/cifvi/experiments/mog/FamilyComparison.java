package cifvi.experiments.mog;

import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.MogSpec.Flow;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.LrSchedule;
import cifvi.experiments.run.NamedObjective;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * CIF-NSF beside the families of paper section 3.2 on the mixtures, all on the eager engine, which
 * knows every one of them: with the time that the CIF takes, or with its evaluations of log p.
 *
 * @param cifSteps steps of the CIF, which the other families' follow from
 * @param seeds runs of a cell
 */
public record FamilyComparison(long cifSteps, int seeds) {
  /** What a run has as much of as the CIF. */
  public enum Equal {
    TIME,
    EVALUATIONS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Milliseconds of a step, measured on a machine with nothing else to do.
   *
   * @param components of the mixture
   */
  public record Timing(int components, Flow model, double ms) {}

  /** One line of the table: a family with so many steps. */
  public record Row(Equal equal, List<MogSpec> runs) {
    public MogSpec firstSeed() {
      return runs.getFirst();
    }

    boolean isOf(Timing timing) {
      return timing.components == firstSeed().components() && timing.model == firstSeed().model();
    }
  }

  public static final List<Integer> COMPONENTS = List.of(9, 16);

  /** Fewer draws and more steps are better for SIVI, whose draws cost K + 1 passes each. */
  private static final int SIVI_SAMPLES = 200;

  private static final int SIVI_EXTRA = 20;

  public static final List<Flow> FAMILIES = List.of(Flow.CIF_NSF, Flow.HVM, Flow.SIVI, Flow.HVI);

  /** What the families are timed with. */
  public static List<MogSpec> timed() {
    var specs = new ArrayList<MogSpec>();
    for (int components : COMPONENTS) {
      FAMILIES.forEach(model -> specs.add(recipe(model, components, 1, 1)));
    }
    return specs;
  }

  /** All lines, given what {@link #timed} took. */
  public List<Row> rows(List<Timing> timings) {
    var rows = new ArrayList<Row>();
    for (Equal equal : Equal.values()) {
      for (int components : COMPONENTS) {
        for (Flow model : FAMILIES) {
          long steps = steps(equal, components, model, timings);
          var runs = new ArrayList<MogSpec>();
          for (long seed = 1; seed <= seeds; seed++) {
            runs.add(recipe(model, components, steps, seed));
          }
          rows.add(new Row(equal, List.copyOf(runs)));
        }
      }
    }
    return rows;
  }

  private long steps(Equal equal, int components, Flow model, List<Timing> timings) {
    double ratio =
        switch (equal) {
          case TIME -> ms(components, Flow.CIF_NSF, timings) / ms(components, model, timings);
          case EVALUATIONS ->
              recipe(Flow.CIF_NSF, components, 1, 1).evaluations()
                  / (double) recipe(model, components, 1, 1).evaluations();
        };
    return Math.max(1, Math.round(cifSteps * ratio));
  }

  private static double ms(int components, Flow model, List<Timing> timings) {
    return timings.stream()
        .filter(timing -> timing.components == components && timing.model == model)
        .findFirst()
        .orElseThrow()
        .ms;
  }

  /**
   * How each family is trained: what had the best marginal ELBO in about thirty seconds on the
   * mixture of 16, with seed 1 (results/families/tried.csv), and what HVM needs on that of 9.
   */
  static MogSpec recipe(Flow model, int components, long steps, long seed) {
    Sigma0 learnt = Sigma0.parse("learn");
    Sigma0 unit = new Sigma0(1, false);
    Sigma0 base = components == 16 ? learnt : unit;
    return switch (model) {
      case HVM ->
          components == 16
              ? spec(model, components, learnt, 1e-2, steps, seed)
              : spec(model, components, unit, 5e-3, steps, seed)
                  .with("warm_up", Math.max(1, steps / 2));
      case SIVI ->
          spec(model, components, unit, 1e-2, steps, seed)
              .with("samples", SIVI_SAMPLES)
              .with("sizes", "extra=" + SIVI_EXTRA)
              .with("warm_up", Math.max(1, steps / 2));
      case HVI ->
          spec(model, components, learnt, 2e-2, steps, seed).with("sizes", "layers=3,leaps=5");
      default -> spec(model, components, base, components == 9 ? 5e-3 : 2e-3, steps, seed);
    };
  }

  private static MogSpec spec(
      Flow model, int components, Sigma0 sigma0, double learningRate, long steps, long seed) {
    return new MogSpec(
        MogSpec.KIND,
        model,
        components,
        sigma0,
        3,
        Placement.RELEASED,
        steps,
        1000,
        learningRate,
        LrSchedule.COSINE,
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
        "eager",
        "cpu",
        false);
  }
}
