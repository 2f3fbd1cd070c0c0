package cifvi.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** The kernel density estimate of the paper's figures. */
class KdeTest {
  @Test
  void bandwidthIsTheSmallerSpreadByScottsRule() {
    // 0, 1, 2, 3, 10: std 3.96232, IQR (3 - 1) / 1.349 = 1.48258, 5^(-1/5) = 0.7247797
    assertThat(Kde.bandwidth(new double[] {10, 0, 2, 1, 3}))
        .isCloseTo(1.059 * 1.4825797 * 0.7247797, within(1e-6));
    // 0, 0, 0, 0, 1: the IQR is 0, which says nothing; std 0.4472136
    assertThat(Kde.bandwidth(new double[] {0, 0, 0, 0, 1}))
        .isCloseTo(1.059 * 0.4472136 * 0.7247797, within(1e-6));
  }

  @Test
  void valueIsTheMeanOfProductKernels() {
    var kde = new Kde(new Points(new double[] {0, 1}, new double[] {0, -1}), 0.5, 2);
    DensityGrid grid = kde.on(new Frame(1), 3);
    // at (0, 0): both kernels, e^0 and e^(-(1/0.5)²/2 - (1/2)²/2), over 2 · 2π · 0.5 · 2
    double expected = (1 + Math.exp(-2 - 0.125)) / (4 * Math.PI);
    assertThat(grid.at(1, 1)).isCloseTo(expected, within(1e-12));
    // at (1, -1), column 2 of row 0, the same by symmetry
    assertThat(grid.at(2, 0)).isCloseTo(expected, within(1e-12));
  }

  @Test
  void integratesToOne() {
    var random = new Random(1);
    double[] x = DoubleStream.generate(random::nextGaussian).limit(500).toArray();
    double[] y = DoubleStream.generate(() -> 0.5 * random.nextGaussian()).limit(500).toArray();
    assertThat(Kde.of(new Points(x, y)).on(new Frame(6), 121).mass()).isCloseTo(1, within(1e-3));
  }

  @Test
  void leavesOutWhatIsNotFinite() {
    var points =
        new Points(new double[] {0, Double.NaN, 1}, new double[] {0, 1, Double.POSITIVE_INFINITY});
    assertThat(Kde.of(points).points().count()).isEqualTo(1);
  }

  @Test
  void gridIsLinearBetweenItsPositions() {
    var grid = new DensityGrid(new Frame(1), 2, new double[] {0, 1, 2, 3});
    assertThat(grid.between(0, 0)).isZero();
    assertThat(grid.between(1, 1)).isEqualTo(3);
    assertThat(grid.between(0.5, 0.25)).isCloseTo(1, within(1e-12));
  }
}
