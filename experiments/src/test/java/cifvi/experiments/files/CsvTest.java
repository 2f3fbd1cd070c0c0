package cifvi.experiments.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cells come back as they were, whatever is in them. */
class CsvTest {
  private static final List<String> AWKWARD =
      List.of("", "a", "a,b", "say \"hi\"", "\"", "two\nlines", "end\r\n", " ", "5\" disk", ",\"");

  private static List<Csv.Line> read(String text) {
    var lines = new ArrayList<Csv.Line>();
    Csv.read(text, lines::add);
    return lines;
  }

  @Test
  void whatIsWrittenIsRead() {
    String text = Csv.line(AWKWARD) + Csv.line(AWKWARD.reversed());
    assertThat(read(text)).extracting(Csv.Line::cells).containsExactly(AWKWARD, AWKWARD.reversed());
    assertThat(Csv.cells("\"a,b\",c")).containsExactly("a,b", "c");
  }

  @Test
  void onlyWhatNeedsQuotesHasThem() {
    assertThat(Csv.line(List.of("step", 1, -0.5, "a b"))).isEqualTo("step,1,-0.5,a b\n");
    assertThat(Csv.line(List.of("a,b", "\""))).isEqualTo("\"a,b\",\"\"\"\"\n");
  }

  @Test
  void otherProgramsEndLinesWithTwoCharacters() {
    assertThat(read("a,b\r\n\"1\",2\r\n"))
        .containsExactly(
            new Csv.Line(1, "a,b", List.of("a", "b")),
            new Csv.Line(2, "\"1\",2", List.of("1", "2")));
  }

  @Test
  void linesAreCountedAsAnEditorDoes() {
    assertThat(read("a\n\"x\ny\"\nb\n")).extracting(Csv.Line::number).containsExactly(1, 2, 4);
  }

  @Test
  void aLineStillBeingWrittenIsLeftOut() {
    assertThat(read("a,b\n1,\"2")).hasSize(1);
    assertThat(read("a,b\n1,2")).hasSize(1);
    assertThat(read("")).isEmpty();
  }

  @Test
  void aQuoteThatIsNotClosedIsNamed() {
    var lines = new ArrayList<Csv.Line>();
    assertThatThrownBy(() -> Csv.read("a\n1\n\"2\n3\n", lines::add))
        .hasMessage("line 3 has a quote that is not closed: \"2");
    assertThat(lines).hasSize(2);
  }
}
