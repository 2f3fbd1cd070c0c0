package cifvi.engine.internal.fused.pictures;

import static cifvi.engine.internal.fused.pictures.Winograd.POINTS;
import static cifvi.engine.internal.fused.pictures.Winograd.TILE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Products at the points of a tile are correlations, and every map has its adjoint. */
class WinogradTest {
  private static final int CHANNELS = 2 * WideLanes.MOST;
  private static final int TAPS = 3;

  private static float[] numbers(long seed, int side) {
    var random = new Random(seed);
    float[] numbers = new float[side * side * CHANNELS];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (float) random.nextGaussian();
    }
    return numbers;
  }

  /** A square of so many vectors on a side, mapped into one of {@code to}. */
  private static float[] map(Winograd map, float[] x, int from, int to) {
    int middle = to * to * CHANNELS;
    float[] y = new float[middle + from * to * CHANNELS];
    map.square(x, 0, from * CHANNELS, CHANNELS, middle, y, 0, to * CHANNELS, CHANNELS, CHANNELS);
    return java.util.Arrays.copyOf(y, middle);
  }

  @Test
  void aTileIsACorrelation() {
    float[] x = numbers(1, POINTS);
    float[] w = numbers(2, TAPS);
    float[] seen = map(Winograd.INPUT, x, POINTS, POINTS);
    float[] by = map(Winograd.WEIGHT, w, TAPS, POINTS);
    for (int i = 0; i < seen.length; i++) {
      seen[i] *= by[i];
    }
    float[] y = map(Winograd.OUTPUT, seen, POINTS, TILE);
    for (int row = 0; row < TILE; row++) {
      for (int column = 0; column < TILE; column++) {
        for (int c = 0; c < CHANNELS; c++) {
          double expected = 0;
          for (int t = 0; t < TAPS * TAPS; t++) {
            int at = (row + t / TAPS) * POINTS + column + t % TAPS;
            expected += (double) x[at * CHANNELS + c] * w[t * CHANNELS + c];
          }
          assertThat((double) y[(row * TILE + column) * CHANNELS + c])
              .isCloseTo(expected, within(1e-4));
        }
      }
    }
  }

  /** ⟨M x, y⟩ = ⟨x, Mᵀ y⟩. */
  @ParameterizedTest
  @CsvSource({"INPUT, INPUT_BACK, 6, 6", "OUTPUT, OUTPUT_BACK, 6, 4", "WEIGHT, WEIGHT_BACK, 3, 6"})
  void mapsBackAreAdjoint(Winograd map, Winograd back, int in, int out) {
    float[] x = numbers(3, in);
    float[] y = numbers(4, out);
    double forward = product(map(map, x, in, out), y);
    double backward = product(x, map(back, y, out, in));
    assertThat(forward).isCloseTo(backward, within(1e-3));
  }

  private static double product(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }
}
