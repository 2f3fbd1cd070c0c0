package cifvi.cli.option;

import cifvi.experiments.files.UserException;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import picocli.CommandLine.Option;

/** Where to compute. */
public final class DeviceOption {
  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "cpu",
      description = "cpu or cuda[:n] (default: ${DEFAULT-VALUE}).")
  private String name;

  public String name() {
    return name;
  }

  public Backend backend(Precision precision) {
    try {
      return Backend.of(name, precision);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new UserException(message.startsWith("device") ? "--" + message : message, e);
    }
  }
}
