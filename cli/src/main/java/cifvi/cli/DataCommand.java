package cifvi.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cifvi data}: gets and checks the image data sets. */
@Command(
    name = "data",
    description = "Get or check the image data sets.",
    subcommands = {DataFetchCommand.class, DataCheckCommand.class})
public final class DataCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "data: expected fetch or check");
  }
}
