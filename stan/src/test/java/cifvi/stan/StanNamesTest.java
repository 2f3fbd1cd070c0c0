package cifvi.stan;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.parameter.Parameter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names of numbers as arrays with their shapes. */
class StanNamesTest {
  private static List<String> declared(String names) {
    return StanNames.space(StanNames.split(names)).parameters().stream()
        .map(Parameter::toString)
        .toList();
  }

  @Test
  void arraysAreFoundInTheirNames() {
    assertThat(declared("mu,theta.1,theta.2,L.1.1,L.2.1,L.1.2,L.2.2,z.1.1.1,z.2.1.1"))
        .containsExactly(
            "real mu", "array[2] real theta", "array[2, 2] real L", "array[2, 1, 1] real z");
    assertThat(declared("")).isEmpty();
  }

  @Test
  void whatIsNoArrayIsNumbersOfTheirOwn() {
    assertThat(declared("c.real,c.imag")).containsExactly("real c_real", "real c_imag");
    assertThat(declared("t:1,t:2.1,t:2.2")).containsExactly("real t_1", "array[2] real t_2");
    assertThat(declared("a.1,a.3")).hasSize(2);
    assertThat(declared("a.2.1,a.1.2")).hasSize(2);
    assertThat(declared("a_1,a.1,a_1.1")).hasSize(3).doesNotHaveDuplicates();
  }
}
