package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which rows of Table 6 are made. */
class Table6RowsTest {
  @Test
  void allButThoseWithTooLongAnM() {
    assertThat(Table6.rows(50_000, 1)).isEqualTo(Table6.PAPER);
    assertThat(Table6.rows(1000, 1)).hasSize(17).doesNotContain(Table6.PAPER.get(7));
  }

  @Test
  void aBudgetLimitsTheDraws() {
    long all = Table6.rows(1000, 1).stream().mapToLong(Table6.Paper::paths).sum();
    long few = Table6.rows(1000, 0.005).stream().mapToLong(Table6.Paper::paths).sum();
    assertThat(few).isPositive().isLessThan(all / 100);
    assertThat(Table6.rows(1000, 1e-9)).allMatch(row -> row.paths() == 1).isNotEmpty();
  }
}
