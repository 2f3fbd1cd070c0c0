package cifvi.experiments.objectives;

import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.mog.GradientRow;
import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.RunSpec;
import cifvi.posterior.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The same CIF-NSF trained by every objective for as long as the ELBO takes, all on the eager
 * engine with one thread: on the mixture of 16, and on MNIST with the small decoder.
 *
 * @param steps of the ELBO on the mixture, which those of the others follow from
 * @param seeds of the mixture
 * @param epochs of the ELBO on MNIST, of {@value #TRAIN_IMAGES} images each; that has seed 1 alone
 * @param dataDir where MNIST is; null for the user's cache
 */
public record ObjectiveComparison(
    long steps, List<Long> seeds, long epochs, @Nullable String dataDir) {
  /** What is learnt. */
  public enum Task {
    K16,
    MNIST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Milliseconds of a step, measured on a machine with nothing else to do: a line of {@code
   * timings.csv}.
   */
  public record Timing(String task, String objective, double msPerStep) {}

  /** One line of the table. */
  public record Row(Task task, NamedObjective objective, double ms, List<RunSpec> runs) {}

  /** A fifth of all, so that epochs are short enough for equal times. */
  static final int TRAIN_IMAGES = 10_800;

  private static final int TEST_IMAGES = 2000;
  private static final int IMPORTANCE_SAMPLES = 100;
  private static final long IMAGES_SEED = 1;

  /** What is maximised. */
  public static final List<NamedObjective> OBJECTIVES = GradientRow.OBJECTIVES;

  /** A run that shows how long a step takes. */
  public RunSpec timed(Task task, NamedObjective objective) {
    return switch (task) {
      case K16 -> mixture(objective, 1, 1);
      case MNIST -> images(objective, 1);
    };
  }

  /** All lines of a task, given what {@link #timed} took. */
  public List<Row> rows(Task task, List<Timing> timings) {
    double elbo = ms(task, NamedObjective.ELBO, timings);
    var rows = new ArrayList<Row>();
    for (NamedObjective objective : OBJECTIVES) {
      double ms = ms(task, objective, timings);
      List<RunSpec> runs =
          switch (task) {
            case K16 -> {
              long count = equalTime(steps, elbo, ms);
              yield seeds.stream().map(seed -> (RunSpec) mixture(objective, count, seed)).toList();
            }
            case MNIST -> List.of(images(objective, equalTime(epochs, elbo, ms)));
          };
      rows.add(new Row(task, objective, ms, runs));
    }
    return rows;
  }

  private static long equalTime(long ofElbo, double elboMs, double ms) {
    return Math.max(1, Math.round(ofElbo * elboMs / ms));
  }

  private static double ms(Task task, NamedObjective objective, List<Timing> timings) {
    return timings.stream()
        .filter(timing -> timing.task.equals(task.toString()))
        .filter(timing -> timing.objective.equals(objective.toString()))
        .findFirst()
        .orElseThrow()
        .msPerStep;
  }

  /** The folder of a run. */
  public static String directory(RunSpec run) {
    return switch (run) {
      case MogSpec mog -> MogGrid.directory(mog);
      case ImagesSpec images ->
          "%s-%s-epochs%d-seed%d"
              .formatted(
                  images.data(),
                  String.valueOf(images.objective()).replace(':', '-'),
                  images.epochs(),
                  images.seed());
      default -> throw new IllegalArgumentException("run: not of a task, " + run.kind());
    };
  }

  /** Every objective has as many draws a step, those of r counted. */
  private static MogSpec mixture(NamedObjective objective, long steps, long seed) {
    return MogSpec.paper(
            MogSpec.Flow.CIF_NSF, Placement.RELEASED, 16, Sigma0.parse("learn"), steps, seed)
        .withCosine(2e-3)
        .with("samples", GradientRow.DRAWS / objective.rowDraws())
        .with("objective", objective)
        .with("engine", "eager");
  }

  /** Every objective has as many images a step, as is usual. */
  private ImagesSpec images(NamedObjective objective, long epochs) {
    return ImagesSpec.paper(ImageModel.CIF_NSF, Placement.RELEASED, IMAGES_SEED)
        .with("data_dir", dataDir)
        .with("epochs", epochs)
        .with("patience", Math.toIntExact(epochs))
        .with("limit_train", TRAIN_IMAGES)
        .with("limit_test", TEST_IMAGES)
        .with("importance_samples", IMPORTANCE_SAMPLES)
        .with("objective", objective)
        .with("engine", "eager");
  }
}
