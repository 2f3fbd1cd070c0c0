package cifvi.experiments.fit;

import cifvi.Cifvi;
import cifvi.Draws;
import cifvi.Fit;
import cifvi.FittedPosterior;
import cifvi.Simulator;
import cifvi.diagnostics.Calibration;
import cifvi.experiments.files.Csv;
import cifvi.experiments.files.UserException;
import cifvi.experiments.regression.Regression;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * Fits data that a model has simulated, with the settings of the fit of the data that there are,
 * and ranks what they were simulated from; a line of {@code calibration.csv} for each, so that a
 * run that was stopped goes on after the last.
 *
 * @param settings of the fit
 */
record Simulations(
    FitSource source, RunDirectory directory, UnaryOperator<Fit> settings, RunListener listener) {
  private static final String FILE = "calibration.csv";

  /** Independent draws of a fit, for a hundred ranks. */
  private static final int DRAWS = 99;

  static void require(FitSource source) {
    if (!(source.density() instanceof Simulator)) {
      throw new UserException(
          "--calibrate: this density cannot simulate; eight-schools, logistic and linear"
              + " regressions do, and classes that implement "
              + Simulator.class.getName());
    }
  }

  /** The ranks of all; empty where the listener stops it. */
  Optional<Calibration> run(int count, long seed) throws IOException {
    Simulator simulator = (Simulator) Objects.requireNonNull(source.density());
    Path file = directory.file(FILE);
    var ranks = new ArrayList<int[]>();
    var names = new ArrayList<String>();
    if (Files.exists(file)) {
      Csv.read(
          Files.readString(file),
          line -> {
            if (names.isEmpty()) {
              names.addAll(line.cells());
            } else {
              ranks.add(line.cells().stream().mapToInt(Integer::parseInt).toArray());
            }
          });
    }
    for (int i = ranks.size(); i < count; i++) {
      if (!listener.step("simulated", i, count, 0)) {
        return Optional.empty();
      }
      Simulator.Simulated simulated = simulator.simulate(new SplittableRandom(seed + i));
      Fit fit =
          simulated.posterior() instanceof Regression regression
              ? regression.fitting()
              : Cifvi.fitting(simulated.posterior());
      try (FittedPosterior posterior = settings.apply(fit).seed(seed + i).run()) {
        Draws draws = posterior.draws(DRAWS);
        if (names.isEmpty()) {
          names.addAll(draws.names());
          Files.writeString(file, Csv.line(names));
        }
        int[] row = ranks(draws, simulated.truth());
        ranks.add(row);
        Files.writeString(
            file, Csv.line(Arrays.stream(row).boxed().toList()), StandardOpenOption.APPEND);
      }
    }
    return Optional.of(Calibration.of(names, ranks.subList(0, count), DRAWS));
  }

  /** How many of the draws are below the truth. */
  private static int[] ranks(Draws draws, double[] truth) {
    int[] ranks = new int[truth.length];
    List<String> names = draws.names();
    for (int c = 0; c < ranks.length; c++) {
      double value = truth[c];
      ranks[c] = (int) Arrays.stream(draws.column(names.get(c))).filter(x -> x < value).count();
    }
    return ranks;
  }
}
