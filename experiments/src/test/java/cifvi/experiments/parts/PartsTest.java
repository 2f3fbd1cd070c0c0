package cifvi.experiments.parts;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.parts.Parts.Range;
import cifvi.experiments.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is there of an evaluation, and what is missing. */
class PartsTest {
  private static final String HEADER =
      "row,draw,log_joint,delta,count,max,sum,sum_of_squares,total\n";

  @TempDir Path folder;

  @Test
  void whatIsMissingIsCutAnewAndRowsComeInOrder() throws Exception {
    Files.writeString(folder.resolve("spec.yaml"), "kind: mog\n");
    try (var directory = RunDirectory.read(folder)) {
      var parts = new Parts(directory, "key", new PartUnits(10, 1, 1, 1));
      assertThat(parts.missing(3))
          .containsExactly(new Range(0, 4), new Range(4, 8), new Range(8, 10));
      parts.keep(new Range(4, 6), HEADER + "4,0,0.1,0,1,2,1,1,2\n5,0,0.1,0,1,2,1,1,2\n");
      assertThat(parts.missing(2)).containsExactly(new Range(0, 4), new Range(6, 10));
      assertThat(parts.missing(100)).hasSize(8).contains(new Range(9, 10));
      parts.keep(new Range(0, 1), HEADER + "0,0,-0.30000000000000004,0,1,2,1,1,2\n");
      assertThat(parts.rows()).extracting(PartRow::row).containsExactly(0L, 4L, 5L);
      assertThat(parts.rows().getFirst().logJoint()).isEqualTo(-0.30000000000000004);
      parts.delete();
      assertThat(parts.missing(1)).containsExactly(new Range(0, 10));
      assertThat(folder.resolve("parts")).isEmptyDirectory();
    }
  }
}
