package cifvi.cli;

import cifvi.cli.option.ExitCode;
import cifvi.experiments.data.DataDirectory;
import cifvi.experiments.data.FileCheck;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cifvi data check NAME}: one line a file, exit code 2 if any is missing or bad. */
@Command(
    name = "check",
    sortOptions = false,
    description = "Check sizes and checksums of a data set.",
    footer = "Prints: OK|FAIL file sizes checksum (SHA-256 before compression)")
public final class DataCheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private DataOptions data;

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    boolean allOk = true;
    for (FileCheck check : FileCheck.of(data.set(), data.dataDir())) {
      out.printf("%-4s %-26s  %s%n", check.ok() ? "OK" : "FAIL", check.name(), check.detail());
      allOk &= check.ok();
    }
    out.flush();
    if (allOk) {
      return ExitCode.DONE;
    }
    spec.commandLine()
        .getErr()
        .println(
            "get what is missing or bad: "
                + DataDirectory.fetchCommand(data.set(), data.dataDir()));
    return ExitCode.USAGE;
  }
}
