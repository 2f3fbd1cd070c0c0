package cifvi.experiments.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sweep's file becomes the cells it spells out, or a message that says what to change. */
class SweepSpecTest {
  private static List<String> names(String yaml) {
    return SweepSpec.parse(yaml).cells().stream().map(Cell::name).toList();
  }

  @Test
  void aGridBeyondAllPatienceIsRefusedBeforeItIsMade() {
    var axes = new StringBuilder("kind: mog\n");
    for (int i = 0; i < 8; i++) {
      axes.append("axis").append(i).append(": ").append(range(20)).append('\n');
    }
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> SweepSpec.parse(axes.toString()).cells())
        .withMessage(
            "the grid has 25,600,000,000 cells, expected at most 10,000: write several files");
  }

  @Test
  @Timeout(20) // it took minutes to compare each with each
  void soIsALongList() {
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> SweepSpec.parse("kind: mog\nseed: " + range(200_000)).cells())
        .withMessage("the grid has 200,000 cells, expected at most 10,000: write several files");
  }

  private static List<Integer> range(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void aGridHasAllCombinationsTheLastAxisFastest() {
    var cells =
        SweepSpec.parse(
                """
                # a comment
                kind: images
                model: [vae, cif-nsf]
                epochs: 10
                decoder: [small, large]
                fixed_binarisation: true
                seed: [1, 2]
                """)
            .cells();
    assertThat(cells)
        .extracting(Cell::name)
        .containsExactly(
            "vae-small-seed1",
            "vae-small-seed2",
            "vae-large-seed1",
            "vae-large-seed2",
            "cif-nsf-small-seed1",
            "cif-nsf-small-seed2",
            "cif-nsf-large-seed1",
            "cif-nsf-large-seed2");
    assertThat(cells.getLast().varying()).containsExactly("model", "decoder", "seed");
    assertThat(cells.getLast().arguments())
        .containsExactly(
            "images",
            "--model=cif-nsf",
            "--epochs=10",
            "--decoder=large",
            "--fixed-binarisation",
            "--seed=2");
  }

  @Test
  void aFlagMayVary() {
    var cells = SweepSpec.parse("kind: images\nfixed_binarisation: [true, false]").cells();
    assertThat(cells)
        .extracting(Cell::name)
        .containsExactly("fixed-binarisation-true", "fixed-binarisation-false");
    assertThat(cells.getLast().arguments()).containsExactly("images");
  }

  @Test
  void valuesStayAsTheyAreWritten() {
    var cell = SweepSpec.parse("kind: mog\nlearning_rate: 1e-3\nsigma0: 0.10").cells().getFirst();
    assertThat(cell.arguments()).containsExactly("mog", "--learning-rate=1e-3", "--sigma0=0.10");
    assertThat(cell.name()).isEqualTo("mog");
  }

  @Test
  void namesAreReadable() {
    assertThat(names("kind: mog\nsigma0: [0.1, learn]\nlearning_rate: [1e-3]\nseed: [1]"))
        .containsExactly(
            "sigma0-0.1-learning-rate1e-3-seed1", "sigma0-learn-learning-rate1e-3-seed1");
    assertThat(names("kind: mog\ninit_from: [runs/a, runs/b]")).containsExactly("runs_a", "runs_b");
  }

  @Test
  void namesThatWouldCollideTellTheirKeys() {
    assertThat(names("kind: mog\na: [x, x-y]\nb: [y-z, z]"))
        .containsExactly("a=x,b=y-z", "a=x,b=z", "a=x-y,b=y-z", "a=x-y,b=z");
    assertThatThrownBy(() -> names("kind: mog\ninit_from: [a/b, a_b]"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("share a folder");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: mog\\nseed: []             | seed: the list is empty",
        "kind: mog\\nseed: [1, 1]         | seed: 1 stands there twice",
        "kind: mog\\nseed: 1\\nseed: 2    | seed",
        "kind: mog\\nseed:                | seed: has no value",
        "kind: mog\\nseed: {a: 1}         | seed: expected a value or a list of values",
        "kind: mog\\nseed: [[1]]          | seed: expected a value or a list of values",
        "seed: 1                          | kind: is missing",
        "kind: [mog, images]              | kind: expected one command",
        "just a text                      | expected lines of the form option: value",
        "kind: mog\\nseed: [1             | not YAML",
        "''                               | expected lines of the form option: value",
      })
  void whatIsWrongIsSaid(String yaml, String message) {
    assertThatThrownBy(() -> SweepSpec.parse(yaml.replace("\\n", "\n")))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(message);
  }
}
