package cifvi.engine.internal.fused.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever tile a number falls into and however many lanes there are, its bits are those of one
 * {@link Math#fma} after the other.
 */
class RowGemmTest {
  private static final int DEPTH = 64; // terms summed before they are added
  private static final int MARGIN = RowGemm.TALL;

  private static float[] numbers(Random random, int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) random.nextGaussian();
    }
    return numbers;
  }

  /** Σ_k a(k) b(k) in the order of the kernels. */
  private interface Term {
    float of(float sum, int k);
  }

  private static float sum(int terms, float start, Term term) {
    float sum = start;
    for (int first = 0; first < terms; first += DEPTH) {
      float part = 0;
      for (int k = first; k < Math.min(first + DEPTH, terms); k++) {
        part = term.of(part, k);
      }
      sum = first == 0 && start == 0 ? part : sum + part;
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 16", "6, 64, 32", "7, 65, 48", "13, 200, 80", "5, 128, 144"})
  void productsOfRows(int rows, int depth, int columns) {
    var random = new Random(rows);
    float[] a = numbers(random, (rows + MARGIN) * depth);
    float[] b = numbers(random, depth * columns);
    for (int call = 0; call < 100; call++) { // before the compiler has come round to it, and after
      float[] c = numbers(random, (rows + MARGIN) * columns);
      RowGemm.multiply(a, 0, rows, depth, b, 0, columns, c, 0);
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
          int row = i;
          int column = j;
          float expected =
              sum(depth, 0, (s, k) -> Math.fma(a[row * depth + k], b[k * columns + column], s));
          assertThat(c[i * columns + j]).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2, 16", "64, 6, 32", "65, 8, 48", "200, 20, 80", "144, 10, 144"})
  void gradientsOfMatrices(int rows, int inputs, int columns) {
    var random = new Random(rows);
    float[] a = numbers(random, rows * inputs);
    float[] d = numbers(random, rows * columns);
    for (int call = 0; call < 100; call++) {
      float[] w = numbers(random, inputs * columns);
      float[] before = w.clone();
      RowGemm.addGradient(a, 0, rows, inputs, d, 0, columns, w, 0);
      for (int i = 0; i < inputs; i++) {
        for (int j = 0; j < columns; j++) {
          int input = i;
          int column = j;
          float expected =
              sum(
                  rows,
                  before[i * columns + j],
                  (s, r) -> Math.fma(a[r * inputs + input], d[r * columns + column], s));
          assertThat(w[i * columns + j]).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 16", "16, 16", "17, 32"})
  void numbersOfColumnsAreTheSameOnEveryMachine(int n, int filled) {
    assertThat(WideLanes.roundUp(n)).isEqualTo(filled);
    assertThat(WideLanes.MOST % WideLanes.COUNT).isZero();
  }
}
