package cifvi.experiments.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables as people have them, and what is said of those that are none. */
class CsvTableTest {
  @TempDir private Path folder;

  private CsvTable read(String text) throws IOException {
    return CsvTable.read(Files.writeString(folder.resolve("t.csv"), text));
  }

  @Test
  void quotesLineEndsAndMarksAreUnderstood() throws IOException {
    CsvTable table = read("\uFEFF\"a, \"\"b\"\"\", c ,\"d\ne\"\r\n1, 2.5,-3e2\r\n\r\n\"4\",.5,+6");
    assertThat(table.columns()).containsExactly("a, \"b\"", "c", "d\ne");
    assertThat(table.rows()).isEqualTo(2);
    assertThat(table.values(0)).containsExactly(1, 4);
    assertThat(table.values(1)).containsExactly(2.5, 0.5);
    assertThat(table.values(2)).containsExactly(-300, 6);
  }

  static Stream<Arguments> tablesThatAreNone() {
    return Stream.of(
        Arguments.of("", "empty; expected a line with the names"),
        Arguments.of("\n\n", "empty; expected a line with the names"),
        Arguments.of("a,b\n", "the names of columns, but no rows"),
        Arguments.of("1,2\n3,4\n", "the first line holds numbers"),
        Arguments.of("a;b\n3;4\n", "separated by commas"),
        Arguments.of("a,b,a\n1,2,3\n", "two columns are named \"a\"; rename one"),
        Arguments.of(",b\n1,2\n", "column 1 has no name"),
        Arguments.of("a,b\n1,2\n1\n", "row 2 (line 3): expected 2 cells, got 1"),
        Arguments.of("a,b\n1,2\n\n1,2,\n", "row 2 (line 4): expected 2 cells, got 3"),
        Arguments.of("a,b\n1,\n", "row 1 (line 2), column \"b\": missing; fill it in"),
        Arguments.of("a,b\n1,2\nNA,2\n", "row 2 (line 3), column \"a\": missing (\"NA\")"),
        Arguments.of("a,b\n1,x2\n", "row 1 (line 2), column \"b\": \"x2\" is no number"),
        Arguments.of("a,b\n1,1f\n", "column \"b\": \"1f\" is no number"),
        Arguments.of("a,b\n1,0x1p3\n", "column \"b\": \"0x1p3\" is no number"),
        Arguments.of("a,b\n1,--1\n", "column \"b\": \"--1\" is no number"),
        Arguments.of("a,b\n1,1e999\n", "column \"b\": 1e999 is too large a number"),
        Arguments.of("a,b\n1,\"2\n", "line 2: a quote is opened and not closed"),
        Arguments.of("a,b\n1,\"2\"3\n", "line 2: text after the closing quote of \"2\""),
        Arguments.of("a,b\n1,\"" + "7".repeat(20_000), "a cell with more than 10000 characters"));
  }

  @ParameterizedTest
  @MethodSource("tablesThatAreNone")
  void whatIsNoTableIsRefused(String text, String words) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("t.csv")
        .hasMessageContaining(words);
  }

  @Test
  void bytesThatAreNoTextAreNoNumber() throws IOException {
    Path file = folder.resolve("b.csv");
    Files.write(file, new byte[] {'a', '\n', (byte) 0xff, (byte) 0xfe, '\n'});
    assertThatThrownBy(() -> CsvTable.read(file)).hasMessageContaining("is no number");
  }

  @Test
  void aFileMustBeThere() {
    assertThatThrownBy(() -> CsvTable.read(folder.resolve("none.csv")))
        .isInstanceOf(UserException.class)
        .hasMessageEndingWith("none.csv: there is no such file");
    assertThatThrownBy(() -> CsvTable.read(folder)).isInstanceOf(UserException.class);
  }

  @Test
  @Tag("slow")
  void aMillionRowsAreRead() throws IOException {
    Path file = folder.resolve("big.csv");
    try (var out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write("a,b,c,d\n");
      for (int i = 0; i < 1_000_000; i++) {
        out.write(i + "," + i * 0.25 + ",-1.5e-3," + i % 2 + "\n");
      }
    }
    CsvTable table = CsvTable.read(file);
    assertThat(table.rows()).isEqualTo(1_000_000);
    assertThat(table.values(1)[999_999]).isEqualTo(249_999.75);
  }
}
