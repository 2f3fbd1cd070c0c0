package cifvi.experiments.mog;

import cifvi.experiments.files.CsvLog;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.MogSpec.Flow;
import cifvi.experiments.run.LrSchedule;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.posterior.Placement;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The bounds of trained mixture models, and how noisy the gradients of their estimators are before,
 * in and after training. What was computed is kept, line by line, and not computed again.
 *
 * @param out folder of the runs, and of {@code bounds.csv} and {@code gradients.csv}
 * @param progress of a computation, by its name
 */
public record BoundStudy(Path out, Function<String, Progress> progress) {
  /** So many times fewer steps are in the middle of training. */
  private static final long EARLIER = 20;

  private static final double R_RATE = 5e-3;

  /** CIF-NSF on both mixtures, and another family. */
  public static List<MogSpec> models(long steps, long seed) {
    var one = new Sigma0(1, false);
    return List.of(
        paper(Flow.CIF_NSF, 9, one, steps, seed).withCosine(5e-3),
        paper(Flow.CIF_NSF, 16, Sigma0.parse("learn"), steps, seed).withCosine(1e-3),
        paper(Flow.HVM, 9, one, steps, seed).withCosine(2e-3));
  }

  private static MogSpec paper(Flow model, int components, Sigma0 sigma0, long steps, long seed) {
    return MogSpec.paper(model, Placement.RELEASED, components, sigma0, steps, seed);
  }

  /**
   * The same in the middle of training: with a twentieth of the steps and the rate as it begins.
   */
  public static MogSpec earlier(MogSpec spec) {
    return spec.with("lr_schedule", LrSchedule.CONSTANT)
        .with("steps", Math.max(1, spec.steps() / EARLIER));
  }

  /** The CIF-NSF on the mixture of 16 whose slack is looked at. */
  public static MogSpec trained(long steps, long seed) {
    return models(steps, seed).get(1);
  }

  /** Another r, learnt for a trained model, of which everything else stays as it is. */
  public static MogSpec learningR(Path trained, MogModel.R r, long steps) {
    return MogSpec.read(RunDirectory.read(trained))
        .with("init_from", trained.toAbsolutePath().normalize().toString())
        .with("r", r)
        .with("objective", new NamedObjective(new Objective.Auxiliary()))
        .withCosine(R_RATE)
        .with("steps", steps)
        .with("engine", "eager");
  }

  /** The bounds of a finished run. */
  public List<BoundRow> bounds(Path run, BoundRow.Size size) {
    String name = String.valueOf(run.getFileName());
    return kept(
        "bounds.csv",
        BoundRow.class,
        row -> row.run().equals(name),
        () -> {
          try (var trained = load(run);
              var weights = trained.weights()) {
            var evaluation = new MogEvaluation(trained.model(), weights, trained.spec().seed());
            return BoundRow.of(name, evaluation, size, progress);
          }
        });
  }

  /** The slack of a finished run. */
  public SlackRow slack(MogSpec spec, String r, BoundRow.Size size) {
    return SlackRow.of(spec.seed(), r, bounds(out.resolve(MogGrid.directory(spec)), size));
  }

  /** The noise of all estimators on the way to a model that was trained. */
  public List<GradientRow> gradients(MogSpec spec, int batches) {
    String name = MogGrid.directory(spec);
    var rows = new ArrayList<GradientRow>();
    for (NamedObjective objective : GradientRow.OBJECTIVES) {
      try (Model model = spec.build(spec.backend())) {
        rows.addAll(noise(name, "start", model, objective, batches, spec.seed()));
      }
    }
    for (MogSpec state : List.of(earlier(spec), spec)) {
      try (var trained = load(out.resolve(MogGrid.directory(state)))) {
        for (NamedObjective objective : GradientRow.OBJECTIVES) {
          String label = "step " + state.steps();
          rows.addAll(noise(name, label, trained.model(), objective, batches, spec.seed()));
        }
      }
    }
    return rows;
  }

  private List<GradientRow> noise(
      String run, String state, Model model, NamedObjective objective, int batches, long seed) {
    return kept(
        "gradients.csv",
        GradientRow.class,
        row ->
            row.run().equals(run)
                && row.state().equals(state)
                && row.objective().equals(objective.toString()),
        () ->
            List.of(
                GradientRow.of(
                    run,
                    state,
                    model,
                    objective,
                    batches,
                    seed,
                    progress.apply(objective + ", " + state))));
  }

  private static Run.Trained<MogSpec> load(Path run) {
    return Run.load(new MogExperiment(), RunDirectory.read(run), "cpu", RunListener.SILENT);
  }

  /** What a file has of something, or else what comes of computing it now. */
  private <R extends Record> List<R> kept(
      String file, Class<R> type, Predicate<R> wanted, Supplier<List<R>> compute) {
    Path path = out.resolve(file);
    List<R> known = CsvLog.read(path, type).stream().filter(wanted).toList();
    if (!known.isEmpty()) {
      return known;
    }
    List<R> rows = compute.get();
    rows.forEach(row -> CsvLog.append(path, type, row));
    return rows;
  }
}
