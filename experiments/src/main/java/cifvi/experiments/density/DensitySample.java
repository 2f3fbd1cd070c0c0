package cifvi.experiments.density;

import cifvi.Draws;
import cifvi.density.DensityEvaluation;
import cifvi.density.RowLikelihood;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import cifvi.vi.Progress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** Draws of a density model with its log-density at each; what p is, nobody knows. */
public record DensitySample(DensityData data, DensityEvaluation evaluation) {
  /** Importance samples of a log-density. */
  private static final int SAMPLES = 100;

  /** So many rows; what is given comes from the test rows, from the first on, again and again. */
  public Draws draws(int count, long seed) {
    double[][] rows = rows(count, seed);
    double[] logG =
        evaluation.logLikelihoods(rows, SAMPLES, seed, 0, Progress.SILENT).stream()
            .mapToDouble(RowLikelihood::value)
            .toArray();
    double[] unknown = new double[count];
    Arrays.fill(unknown, Double.NaN);
    double[] flat = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    var space = ParameterSpace.of(names().stream().map(Parameter::real).toList());
    return Draws.of(space, flat, unknown, logG);
  }

  /** Rows of all columns, the given ones last. */
  double[][] rows(int count, long seed) {
    double[][] rows = new double[count][];
    Arrays.setAll(rows, i -> data.test()[i % data.test().length].clone());
    double[][] drawn = evaluation.draws(rows, seed);
    for (int i = 0; i < count; i++) {
      System.arraycopy(drawn[i], 0, rows[i], 0, data.features());
    }
    return rows;
  }

  /** The names of the columns, or x1, x2, … where they are no names of parameters. */
  private List<String> names() {
    List<String> names =
        data.columns().stream().map(name -> name.replaceAll("[^A-Za-z0-9_]+", "_")).toList();
    boolean usable =
        names.stream().allMatch(name -> name.matches("[A-Za-z]([A-Za-z0-9_]*[A-Za-z0-9])?"))
            && new HashSet<>(names).size() == names.size();
    return usable ? names : IntStream.rangeClosed(1, names.size()).mapToObj(i -> "x" + i).toList();
  }
}
