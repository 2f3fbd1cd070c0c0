package cifvi.experiments.density;

import cifvi.density.DensityFamily;
import cifvi.density.DensityShape;
import cifvi.density.DensityShape.Inference;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import cifvi.vi.Schedule;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one density run, under the names of the command line's options.
 *
 * @param data name of a {@link PlaneSet}, or a CSV or PNG file
 * @param given names of the columns that the others are conditioned on; null for none
 * @param rows of a set or picture; null for {@value #ROWS}, or for a table
 * @param split parts of the rows for training, validation and testing
 * @param inference what q(u|w) is
 * @param hidden null for what suits the number of columns; index and sideHidden likewise
 * @param mixture normals that r(u|w) is a mixture of
 * @param steps null for as many as validation says
 * @param epochs at most, without steps
 * @param patience validations without a better bound, without steps
 * @param importanceSamples S of the test log-likelihood, an even number
 */
public record DensitySpec(
    String kind,
    String data,
    @Nullable String given,
    @Nullable Integer rows,
    Shares split,
    DensityFamily model,
    Placement placement,
    Inference inference,
    int flowSteps,
    @Nullable Integer hidden,
    int bins,
    double tailBound,
    @Nullable Integer index,
    @Nullable Integer sideHidden,
    int mixture,
    @Nullable Long steps,
    long epochs,
    int patience,
    int batch,
    int importanceSamples,
    double learningRate,
    double clip,
    long seed,
    int threads,
    Precision precision,
    String engine,
    String device,
    boolean tf32)
    implements RunSpec {
  public static final String KIND = "density";

  /** Rows of a set, where not said. */
  public static final int ROWS = 20_000;

  private static final int MOST_ROWS = 10_000_000;
  private static final int MOST_WIDTH = 4096;

  public DensitySpec {
    RunSpec.require(kind.equals(KIND), "kind: expected density, got " + kind);
    boolean drawn = PlaneSet.named(data).isPresent() || isPicture(data);
    if (rows != null) {
      RunSpec.require(drawn, "--rows: is for built-in sets and pictures; a table has its own");
      RunSpec.requireCount("--rows", rows, MOST_ROWS);
    }
    RunSpec.requireCount("--flow-steps", flowSteps, MOST_WIDTH);
    requireWidth("--hidden", hidden);
    RunSpec.requireCount("--bins", bins, MOST_WIDTH);
    RunSpec.requirePositive("--tail-bound", tailBound);
    requireWidth("--index", index);
    requireWidth("--side-hidden", sideHidden);
    RunSpec.requireCount("--mixture", mixture, MOST_WIDTH);
    RunSpec.require(
        mixture == 1 || (model.indexed() && inference == Inference.NORMAL),
        "--mixture: is for cif-maf and cif-nsf with --inference normal");
    if (steps != null) {
      RunSpec.requireCount("--steps", steps, Integer.MAX_VALUE);
    }
    RunSpec.requireCount("--epochs", epochs, Integer.MAX_VALUE);
    RunSpec.require(patience >= 0, "--patience: expected a number from 0 on, got " + patience);
    RunSpec.requireCount("--batch", batch, MOST_ROWS);
    RunSpec.requireCount("--importance-samples", importanceSamples, MOST_ROWS);
    RunSpec.require(
        importanceSamples % 2 == 0,
        "--importance-samples: expected an even number, got " + importanceSamples);
    RunSpec.require(
        inference == Inference.NORMAL || (model.indexed() && given == null),
        "--inference cif: is for cif-maf and cif-nsf without --given");
    RunSpec.requirePositive("--learning-rate", learningRate);
    RunSpec.requirePositive("--clip", clip);
    RunSpec.requireCommon(threads, engine, device, tf32);
  }

  private static void requireWidth(String name, @Nullable Integer value) {
    if (value != null) {
      RunSpec.requireCount(name, value, MOST_WIDTH);
    }
  }

  private static boolean isPicture(String data) {
    return data.toLowerCase(Locale.ROOT).endsWith(".png");
  }

  boolean isPicture() {
    return isPicture(data);
  }

  int drawnRows() {
    return rows == null ? ROWS : rows;
  }

  /** Data, without the folder it is in. */
  public String subject() {
    return data.substring(data.replace('\\', '/').lastIndexOf('/') + 1);
  }

  /** All that the rows depend on. */
  List<Object> source() {
    return Arrays.asList(data, given, rows, split, seed);
  }

  /** The model for columns of this kind. */
  DensityShape shape(DensityData columns) {
    int given = columns.columns().size() - columns.features();
    var usual = DensityShape.of(model, columns.features(), given);
    return new DensityShape(
        model,
        placement,
        inference,
        columns.features(),
        given,
        flowSteps,
        hidden == null ? usual.hidden() : hidden,
        bins,
        tailBound,
        index == null ? usual.index() : index,
        sideHidden == null ? usual.sideHidden() : sideHidden,
        mixture);
  }

  /** With so many steps the rate falls to 0 along half a cosine. */
  Schedule schedule() {
    return steps == null ? Schedule.constant(learningRate) : Schedule.cosine(learningRate, steps);
  }

  @Override
  public Set<String> growing() {
    return steps == null ? Set.of("epochs", "patience") : Set.of();
  }

  Optional<Long> fixedSteps() {
    return Optional.ofNullable(steps);
  }

  public static DensitySpec read(RunDirectory directory) {
    return RunSpec.read(directory, DensitySpec.class);
  }
}
