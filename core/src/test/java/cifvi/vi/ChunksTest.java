package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cut table is the whole table: every draw once, in order, no chunk too large. */
class ChunksTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "10, 1, 3",
    "10, 3, 7",
    "10, 7, 7",
    "10, 8, 7",
    "3, 100, 7",
    "1, 21, 7",
    "5, 4, 1000"
  })
  void everyDrawComesOnceAndInOrder(long rows, long perRow, long maxDraws) {
    var draws = new ArrayList<Long>();
    new Chunks(rows, perRow, maxDraws)
        .forEach(
            (row, count, draw, each) -> {
              assertThat(count * each).isBetween(1L, maxDraws);
              for (long i = 0; i < count; i++) {
                for (long j = 0; j < each; j++) {
                  draws.add((row + i) * perRow + draw + j);
                }
              }
            });
    assertThat(draws).hasSize((int) (rows * perRow)).isSorted().doesNotHaveDuplicates();
    assertThat(draws.getLast()).isEqualTo(rows * perRow - 1);
  }

  @Test
  void rowsStayWholeWhereTheyFit() {
    var chunks = new ArrayList<List<Long>>();
    new Chunks(5, 3, 7)
        .forEach((row, rows, draw, draws) -> chunks.add(List.of(row, rows, draw, draws)));
    assertThat(chunks)
        .containsExactly(List.of(0L, 2L, 0L, 3L), List.of(2L, 2L, 0L, 3L), List.of(4L, 1L, 0L, 3L));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, 'rows: expected at least 1, got 0'",
    "1, 0, 1, 'draws a row: expected at least 1, got 0'",
    "1, 1, -5, 'draws a chunk: expected at least 1, got -5'"
  })
  void emptyTablesAreRefused(long rows, long perRow, long maxDraws, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Chunks(rows, perRow, maxDraws))
        .withMessage(message);
  }
}
