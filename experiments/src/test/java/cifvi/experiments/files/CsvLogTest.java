package cifvi.experiments.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that was cut anywhere is gone on with, and one that does not fit is refused in words. */
class CsvLogTest {
  record Row(long step, double elbo, String name) {}

  private static final Row FIRST = new Row(0, -1.5, "a");
  private static final Row SECOND = new Row(1, -0.25, "b");
  private static final String ONE = "step,elbo,name\n0,-1.5,a\n";
  private static final String TWO = ONE + "1,-0.25,b\n";

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void choose() {
    file = folder.resolve("log.csv");
  }

  private static void append(Path file, Row row) {
    CsvLog.append(file, Row.class, row);
  }

  @Test
  void aLineIsAddedToWhereverTheFileWasCut() throws IOException {
    for (int length = 0; length <= TWO.length(); length++) {
      String whole = TWO.substring(0, TWO.lastIndexOf('\n', length - 1) + 1);
      Files.writeString(file, TWO.substring(0, length));
      append(file, SECOND);
      String expected = whole.isEmpty() ? "step,elbo,name\n" : whole;
      assertThat(file).content().isEqualTo(expected + "1,-0.25,b\n");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskLeavesWhatWasThere() throws IOException {
    Files.writeString(file, ONE);
    Files.createSymbolicLink(folder.resolve("log.csv.tmp"), Path.of("/dev/full"));
    assertThatThrownBy(() -> append(file, SECOND))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith(
            file + ": cannot be written: "); // the reason in the user's language
    assertThat(file).hasContent(ONE);
    append(file, SECOND); // there is room again
    assertThat(file).hasContent(TWO);
    assertThat(folder.toFile().list()).containsExactly("log.csv");
  }

  @Test
  void aNewFileGetsItsHeader() {
    append(file, FIRST);
    append(file, SECOND);
    assertThat(file).hasContent(TWO);
    assertThat(CsvLog.read(file, Row.class)).containsExactly(FIRST, SECOND);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theFileIsCutBack(int rows) throws IOException {
    Files.writeString(file, TWO + "2,-0.1");
    try (var log = CsvLog.from(file, Row.class, rows)) {
      log.add(SECOND);
      log.flush();
      assertThat(file).content().endsWith("b\n").hasLineCount(rows + 2);
    }
    assertThatThrownBy(() -> CsvLog.from(file, Row.class, 5))
        .hasMessageContaining("has " + (rows + 1) + " lines, the checkpoint counts on 5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,-1.5,a;0,-1.5,a;           | the names of the columns, lacks step",
        "step,elbo,name;0,-1.50,-1,a; | line 2 does not fit, remove it: 0,-1.50,-1,a",
        "step,elbo,name;0,low,a;      | line 2 does not fit, remove it: 0,low,a",
        "step,name;0,a;               | lacks elbo",
      })
  void whatDoesNotFitIsNamed(String text, String reason) throws IOException {
    Files.writeString(file, text.replace(';', '\n'));
    assertThatThrownBy(() -> CsvLog.read(file, Row.class))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(reason);
  }
}
