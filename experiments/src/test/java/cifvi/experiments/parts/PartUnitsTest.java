package cifvi.experiments.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Units have every draw of every row once, in order. */
class PartUnitsTest {
  @ParameterizedTest
  @CsvSource({"1,1,1,1", "10,3,4,100", "7,10,1,10", "3,25,5,10", "5,11,9,10", "100,1,100,1"})
  void everyDrawIsInOneUnit(long rows, long draws, long rowsAtATime, long drawsAtATime) {
    var units = new PartUnits(rows, draws, rowsAtATime, drawsAtATime);
    var found = new ArrayList<List<Long>>();
    for (long number = 0; number < units.count(); number++) {
      PartUnits.Unit unit = units.unit(number);
      assertThat(unit.rows() == 1 || units.isWhole()).isTrue();
      for (long row = unit.row(); row < unit.row() + unit.rows(); row++) {
        for (long draw = unit.from(); draw < unit.to(); draw++) {
          found.add(List.of(row, draw));
        }
      }
    }
    var all = new ArrayList<List<Long>>();
    for (long row = 0; row < rows; row++) {
      for (long draw = 0; draw < draws; draw++) {
        all.add(List.of(row, draw));
      }
    }
    assertThat(found).isEqualTo(all);
  }
}
