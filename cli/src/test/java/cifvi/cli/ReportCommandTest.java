package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.option.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cifvi report} with wrong input: one line, exit code 2. */
class ReportCommandTest {
  @TempDir private Path folder;

  private static String failing(String... arguments) {
    var err = new StringWriter();
    var commandLine = Main.commandLine().setErr(new PrintWriter(err, true));
    assertThat(commandLine.execute(arguments)).isEqualTo(ExitCode.USAGE);
    return err.toString();
  }

  @Test
  void aFolderThatIsNoRun() {
    assertThat(failing("report", folder.toString()))
        .isEqualToIgnoringNewLines(
            "cifvi: " + folder + " is not a run directory: it has no spec.yaml");
  }

  @Test
  void noFolder() {
    assertThat(failing("report")).contains("DIR");
  }
}
