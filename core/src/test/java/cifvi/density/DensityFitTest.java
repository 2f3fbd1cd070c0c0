package cifvi.density;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.Cifvi;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Densities of rows whose own is known: x = 100 + 20 e₁, y = 0.01 x + 0.5 e₂. */
class DensityFitTest {
  private static final int ROWS = 2000;

  private static double[][] rows(long seed) {
    double[] e =
        new CounterRng(Backend.cpu(Precision.FLOAT64), seed, Purpose.SAMPLE).normals(ROWS, 2);
    double[][] rows = new double[ROWS][2];
    for (int i = 0; i < ROWS; i++) {
      rows[i][0] = 100 + 20 * e[2 * i];
      rows[i][1] = 0.01 * rows[i][0] + 0.5 * e[2 * i + 1];
    }
    return rows;
  }

  private static double logY(double[] row) {
    double e = (row[1] - 0.01 * row[0]) / 0.5;
    return -0.5 * e * e - Math.log(0.5) - 0.5 * Math.log(2 * Math.PI);
  }

  private static double logX(double[] row) {
    double e = (row[0] - 100) / 20;
    return -0.5 * e * e - Math.log(20) - 0.5 * Math.log(2 * Math.PI);
  }

  private static DensityFit small(DensityFamily family) {
    return Cifvi.estimating(rows(1)).family(family).flowSteps(2).hidden(8).steps(300).threads(1);
  }

  @Test
  void logLikelihoodsAreInTheUnitsOfTheRows() {
    double[][] test = rows(2);
    double truth = Arrays.stream(test).mapToDouble(r -> logX(r) + logY(r)).average().orElseThrow();
    try (var density = small(DensityFamily.CIF_NSF).learningRate(5e-3).run()) {
      List<RowLikelihood> values = density.logLikelihoods(test, 20, 1);
      double mean = RowLikelihood.mean(values, RowLikelihood::value).mean();
      assertThat(mean).isCloseTo(truth, within(0.1));
      assertThat(RowLikelihood.mean(values, RowLikelihood::elbo).mean()).isLessThan(mean);
      double bias = RowLikelihood.mean(values, RowLikelihood::bias).mean();
      assertThat(bias).isBetween(-0.05, 0.0);
      double[][] draws = density.draws(2000, 3);
      assertThat(Arrays.stream(draws).mapToDouble(d -> d[0]).average().orElseThrow())
          .isCloseTo(100, within(3.0));
      assertThat(Arrays.stream(draws).mapToDouble(d -> d[1] - 0.01 * d[0]).average().orElseThrow())
          .isCloseTo(0, within(0.08));
    }
  }

  @Test
  void aConditionalDensityFollowsWhatIsGiven(@TempDir Path folder) throws IOException {
    double[][] test = rows(2);
    double truth = Arrays.stream(test).mapToDouble(DensityFitTest::logY).average().orElseThrow();
    Path file = folder.resolve("density.safetensors");
    double[] values;
    double[][] draws;
    double[][] given = new double[500][];
    Arrays.setAll(given, i -> new double[] {i < 250 ? 60 : 140});
    try (var density = small(DensityFamily.NSF).steps(150).learningRate(1e-2).given(0).run()) {
      values = density.logLikelihoods(test);
      assertThat(Arrays.stream(values).average().orElseThrow()).isCloseTo(truth, within(0.1));
      draws = density.drawsGiven(given, 1);
      double low = Arrays.stream(draws, 0, 250).mapToDouble(d -> d[0]).average().orElseThrow();
      double high = Arrays.stream(draws, 250, 500).mapToDouble(d -> d[0]).average().orElseThrow();
      assertThat(high - low).isCloseTo(0.8, within(0.3));
      assertThatThrownBy(() -> density.draws(3, 1)).hasMessageContaining("drawsGiven");
      density.save(file);
    }
    try (var loaded = FittedDensity.load(file)) {
      assertThat(loaded.logLikelihoods(test)).isEqualTo(values);
      assertThat(loaded.drawsGiven(given, 1)).isDeepEqualTo(draws);
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> FittedDensity.load(file)).hasMessageContaining("checksum");
  }

  /** The bound of rows held back stops rising early where there are few rows. */
  @Test
  void trainingEndsByItself() {
    double[][] few = Arrays.copyOf(rows(1), 60);
    long[] last = new long[1];
    var fit =
        Cifvi.estimating(few)
            .family(DensityFamily.MAF)
            .flowSteps(1)
            .hidden(8)
            .learningRate(0.05)
            .batch(20)
            .patience(3)
            .threads(1)
            .listener(
                progress -> {
                  last[0] = progress.step();
                  return progress.step() < 5000;
                });
    try (var density = fit.run()) {
      assertThat(last[0]).isLessThan(5000);
      assertThat(density.validationElbo()).isNotNaN();
    }
  }

  @Test
  void whatHasNoDensityIsRefused() {
    double[][] rows = rows(1);
    double[][] constant =
        Arrays.stream(rows).map(r -> new double[] {r[0], 3}).toArray(double[][]::new);
    assertThatThrownBy(() -> Cifvi.density(constant))
        .hasMessageContaining("column 2: the same number, 3.0");
    rows[4] = new double[] {1, Double.NaN};
    assertThatThrownBy(() -> Cifvi.density(rows)).hasMessageContaining("row 5, column 2");
    rows[4] = new double[] {1};
    assertThatThrownBy(() -> Cifvi.density(rows)).hasMessage("row 5: expected 2 columns, got 1");
    assertThatThrownBy(() -> Cifvi.estimating(rows).given(0, 1))
        .hasMessageContaining("not all of them");
    assertThatThrownBy(() -> Cifvi.estimating(new double[3][2]))
        .hasMessageContaining("at least 10");
  }
}
