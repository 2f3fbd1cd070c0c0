package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.fused.memory.Lanes;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever tile a number of a product falls into, its bits are those of one {@link Math#fma} after
 * the other: they depend neither on how many rows and outputs there are beside it nor on the
 * machine.
 */
class GemmTest {
  private static final int DEPTH = 128; // inputs summed before they are added to y
  private static final int MOST_OUTPUTS = 7;

  /** Before the compiler has come round to a tile, and after it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 9, 65, 128, 129, 300})
  void everyTileAddsInTheSameOrder(int inputs) {
    var random = new Random(inputs);
    float[] w = numbers(random, MOST_OUTPUTS * inputs);
    float[] x = numbers(random, inputs * STRIDE);
    float[] y = numbers(random, MOST_OUTPUTS * STRIDE);
    float[] expected = expected(w, inputs, x, y);
    for (int call = 0; call < 100; call++) {
      for (int rows = Lanes.COUNT; rows <= STRIDE; rows += Lanes.COUNT) {
        for (int outputs = 1; outputs <= MOST_OUTPUTS; outputs++) {
          float[] actual = y.clone();
          var band = new Band(0, outputs, 0, inputs);
          Gemm.add(w, 0, inputs, band, x, 0, actual, 0, rows);
          assertThat(actual).isEqualTo(within(outputs, rows, expected, y));
        }
      }
    }
  }

  private static float[] numbers(Random random, int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) random.nextGaussian();
    }
    return numbers;
  }

  private static float[] expected(float[] w, int inputs, float[] x, float[] y) {
    float[] result = y.clone();
    for (int j = 0; j < MOST_OUTPUTS; j++) {
      for (int s = 0; s < STRIDE; s++) {
        for (int first = 0; first < inputs; first += DEPTH) {
          float sum = 0;
          for (int i = first; i < Math.min(first + DEPTH, inputs); i++) {
            sum = Math.fma(w[j * inputs + i], x[i * STRIDE + s], sum);
          }
          result[j * STRIDE + s] += sum;
        }
      }
    }
    return result;
  }

  /** The product in the first rows of the first outputs, y as it was in all others. */
  private static float[] within(int outputs, int rows, float[] product, float[] y) {
    float[] result = y.clone();
    for (int j = 0; j < outputs; j++) {
      System.arraycopy(product, j * STRIDE, result, j * STRIDE, rows);
    }
    return result;
  }
}
