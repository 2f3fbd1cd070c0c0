package cifvi.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.Main;
import cifvi.cli.run.MogCommand;
import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogSpec;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Runs of a grid as processes of their own. */
class MogJobsTest {
  /** So that a process trains the very run that the table then looks for. */
  @Test
  void argumentsGiveTheSpecAgain() {
    var grid = MogGrid.figure2(40, 2);
    var cells = new MogJobs(grid, Path.of("x")).cells();
    var commandLine = Main.commandLine();
    MogCommand command =
        Objects.requireNonNull(commandLine.getSubcommands().get("mog")).getCommand();
    for (int i = 0; i < cells.size(); i++) {
      commandLine.parseArgs(cells.get(i).arguments().toArray(String[]::new));
      MogSpec spec = grid.specs().get(i);
      assertThat(command.settings()).isEqualTo(spec);
      assertThat(cells.get(i).name()).isEqualTo(MogGrid.directory(spec));
    }
    assertThat(cells).hasSize(2 * 3 * 3);
  }
}
