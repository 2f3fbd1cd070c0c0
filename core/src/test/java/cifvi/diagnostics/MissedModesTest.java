package cifvi.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.vi.Estimate;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * p is a product of twelve mixtures of two normals, 0.8 N(3, 0.5) + 0.2 N(-3, 0.5), whose 4096
 * modes have at most 7 % of the mass each; q is the same, but one number may have its right half
 * alone.
 */
class MissedModesTest {
  private static final int D = 12;
  private static final int DRAWS = 2000;

  /** The product, in which number {@code lost} has no left half; -1 for none. */
  private record Halves(int lost) implements Approximation {
    static double log(double x, double left) {
      double a = Math.log(1 - left) - 2 * Math.pow(x - 3, 2);
      double b = Math.log(left) - 2 * Math.pow(x + 3, 2);
      double most = Math.max(a, b);
      return most + Math.log(Math.exp(a - most) + Math.exp(b - most)) - 0.5 * Math.log(Math.PI / 2);
    }

    static double slope(double x) {
      double right =
          Math.exp(
              Math.log(0.8) - 2 * Math.pow(x - 3, 2) - log(x, 0.2) - 0.5 * Math.log(Math.PI / 2));
      return -4 * (right * (x - 3) + (1 - right) * (x + 3));
    }

    double[] draws() {
      var random = new SplittableRandom(1);
      double[] z = new double[DRAWS * D];
      for (int i = 0; i < z.length; i++) {
        boolean left = i % D != lost && random.nextDouble() < 0.2;
        z[i] = (left ? -3 : 3) + 0.5 * random.nextGaussian();
      }
      return z;
    }

    @Override
    public int dimensions() {
      return D;
    }

    @Override
    public boolean explicit() {
      return true;
    }

    @Override
    public void logDensities(double[] z, double[] logP, double @Nullable [] gradients) {
      Arrays.fill(logP, 0);
      for (int i = 0; i < z.length; i++) {
        logP[i / D] += log(z[i], 0.2);
        if (gradients != null) {
          gradients[i] = slope(z[i]);
        }
      }
    }

    @Override
    public double[] backward(double[] z, int paths, long seed) {
      double[] logQ = new double[z.length / D];
      for (int i = 0; i < z.length; i++) {
        logQ[i / D] += log(z[i], i % D == lost ? 1e-30 : 0.2);
      }
      return logQ;
    }

    @Override
    public List<Estimate> indexWorth(int draws) {
      return List.of();
    }

    List<Mode> missed() {
      double[] weights = new double[DRAWS];
      Arrays.fill(weights, 1.0 / DRAWS);
      double logZ = lost < 0 ? 0 : Math.log(0.8);
      return new Modes(this, draws(), weights, logZ, List.of(), 1)
          .find().stream().filter(Mode::missed).toList();
    }
  }

  @Test
  void halfOfOneNumberIsMissedThoughNoModeHasItsMass() {
    List<Mode> missed = new Halves(5).missed();
    assertThat(missed).hasSize(1);
    assertThat(missed.getFirst().mass()).isCloseTo(0.2, within(0.03));
    assertThat(missed.getFirst().covered()).isLessThan(1e-9);
    assertThat(missed.getFirst().z().get(5)).isCloseTo(-3, within(0.5));
  }

  @Test
  void nothingIsMissedWhereQIsP() {
    assertThat(new Halves(-1).missed()).isEmpty();
  }
}
