package cifvi.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.Cli;
import cifvi.cli.option.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cifvi reproduce posteriors}: fits beside what is known, as text, CSV and page. */
class PosteriorsCommandTest {
  @TempDir Path folder;

  private Cli posteriors(String targets, String families, Object... more) {
    var words = new Object[10 + more.length];
    Object[] first = {
      "reproduce",
      "posteriors",
      "--targets",
      targets,
      "--families",
      families,
      "--seeds",
      "1",
      "--out",
      folder.resolve("out")
    };
    System.arraycopy(first, 0, words, 0, first.length);
    System.arraycopy(more, 0, words, first.length, more.length);
    return Cli.run(words);
  }

  @Test
  void fitsAreScoredAgainstWhatIsKnown() throws IOException {
    var cli = posteriors("gaussian,banana", "mean-field", "--steps", 30, "--jobs", 1);
    assertThat(cli.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(cli.out().lines())
        .anyMatch(line -> line.matches("gaussian, log Z -?0\\.0000"))
        .anyMatch(line -> line.matches(" +mean-field, seed 1 +-?\\d.*(good|usable|poor)"));
    assertThat(Files.readAllLines(folder.resolve("out/posteriors.csv")))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("gaussian,mean-field,1,mean-field,-"));
    assertThat(Files.readString(folder.resolve("out/posteriors.html")))
        .contains("<h2>gaussian</h2>", "<h2>banana</h2>", "<img src=\"data:image/png");
    assertThat(posteriors("gaussian,funnel", "mean-field", "--only-table").out())
        .contains("gaussian, log Z")
        .doesNotContain("funnel");
  }

  @Test
  void aStanModelMayHaveTheNameOfADensity() throws IOException {
    Files.createFile(folder.resolve("libfunnel_model.so"));
    assertThat(posteriors("funnel", "nsf", "--stan-dir", folder, "--dry-run").out().lines())
        .hasSize(2)
        .anyMatch(line -> line.endsWith(folder.resolve("out/funnel-nsf-seed1").toString()))
        .anyMatch(line -> line.endsWith(folder.resolve("out/stan-funnel-nsf-seed1").toString()));
  }

  @Test
  void whatIsWrongIsSaidBeforeAnythingRuns() {
    assertThat(posteriors("none", "nsf").err()).contains("--stan-dir");
    assertThat(posteriors("funel", "nsf").err()).contains("funnel");
    assertThat(posteriors("funnel", "nfs").err()).contains("--families: expected", "got nfs");
    assertThat(posteriors("funnel", "nsf", "--stan-dir", folder.resolve("no")).err())
        .contains("there is no such folder");
    assertThat(folder.resolve("out")).doesNotExist();
  }
}
