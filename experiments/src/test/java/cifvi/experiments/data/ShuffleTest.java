package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Splits and orders are permutations, each as likely, and pure functions of seed and epoch. */
class ShuffleTest {
  private static final int[] INDICES = IntStream.range(100, 1100).toArray();

  @Test
  void anOrderIsAPermutation() {
    int[] order = Shuffle.order(1, 0, INDICES);
    assertThat(order).isNotEqualTo(INDICES).containsExactlyInAnyOrder(INDICES);
    assertThat(INDICES).isSorted();
    assertThat(Shuffle.order(1, 0, new int[0])).isEmpty();
    assertThat(Shuffle.order(1, 0, new int[] {5})).containsExactly(5);
  }

  @Test
  void itDependsOnSeedAndEpochAlone() {
    int[] order = Shuffle.order(1, 7, INDICES);
    assertThat(Shuffle.order(1, 7, INDICES)).isEqualTo(order);
    assertThat(Shuffle.order(1, 8, INDICES)).isNotEqualTo(order);
    assertThat(Shuffle.order(2, 7, INDICES)).isNotEqualTo(order);
    assertThatIllegalArgumentException().isThrownBy(() -> Shuffle.order(1, -1, INDICES));
  }

  @Test
  void everyPermutationIsAsLikely() {
    var counts = new HashMap<String, Integer>();
    int epochs = 24_000;
    for (int epoch = 0; epoch < epochs; epoch++) {
      counts.merge(
          Arrays.toString(Shuffle.order(3, epoch, new int[] {0, 1, 2, 3})), 1, Integer::sum);
    }
    double expected = epochs / 24.0;
    double chiSquare =
        counts.values().stream().mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
    assertThat(counts).hasSize(24);
    // 23 degrees of freedom: beyond once in 30,000
    assertThat(chiSquare).isLessThan(60);
  }

  @Test
  void aSplitIsDisjointAndComplete() {
    var split = Split.of(1, 60_000, 6_000);
    assertThat(split.validation()).hasSize(6000);
    assertThat(split.train()).hasSize(54_000);
    int[] both =
        IntStream.concat(Arrays.stream(split.train()), Arrays.stream(split.validation()))
            .sorted()
            .toArray();
    assertThat(both).isEqualTo(IntStream.range(0, 60_000).toArray());
    assertThat(Split.of(2, 60_000, 6000).validation()).isNotEqualTo(split.validation());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Split.of(1, 10, 11))
        .withMessage("validation: expected 0 to 10 images, got 11");
  }

  /** Saved runs go on with these very numbers, computed by another program. */
  @Test
  void theNumbersStayTheSame() {
    var split = Split.of(1, 60_000, 6000);
    assertThat(Arrays.copyOf(split.validation(), 4)).containsExactly(3216, 44405, 1685, 49047);
    assertThat(Arrays.copyOf(split.train(), 4)).containsExactly(10333, 47802, 32701, 50008);
    assertThat(Arrays.copyOf(Shuffle.order(1, 2, split.train()), 4))
        .containsExactly(49568, 56208, 49514, 30218);
  }
}
