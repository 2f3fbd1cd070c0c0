package cifvi.experiments.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a case is called, and how many draws it is a step of. */
class StepCaseTest {
  @ParameterizedTest
  @CsvSource({
    "mog-cif-nsf, 1000",
    "density-cif-nsf, 1000",
    "images-small-vae, 100",
    "images-small-iwae, 500",
    "images-small-iwae-10, 1000",
    "images-large-iwae-20, 2000",
    "images-large-cif-nsf, 100",
  })
  void rowsAreDraws(String name, long rows) {
    assertThat(StepCase.all())
        .filteredOn(step -> step.name().equals(name))
        .extracting(StepCase::rows)
        .containsExactly(rows);
  }
}
