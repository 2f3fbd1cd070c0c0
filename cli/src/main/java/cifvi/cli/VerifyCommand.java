package cifvi.cli;

import cifvi.cli.option.DeviceOption;
import cifvi.cli.option.ExitCode;
import cifvi.experiments.golden.Verdict;
import cifvi.experiments.golden.Verifier;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi verify FILE...}: one line a file, exit code 1 if any fails. */
@Command(
    name = "verify",
    description =
        "Check every number of reference-vector files (.json or .json.gz) against this build.",
    footer = "Prints: OK|FAIL case value-error gradient-error compared-tensors")
public final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Reference-vector files.")
  private List<Path> files;

  @Mixin private DeviceOption device;

  @Override
  public Integer call() {
    Backend backend = device.backend(Precision.FLOAT64);
    var out = spec.commandLine().getOut();
    boolean allOk = true;
    for (Path file : files) {
      Verdict verdict = Verifier.verify(file, backend);
      out.println(verdict);
      out.flush();
      allOk &= verdict.ok();
    }
    return allOk ? ExitCode.DONE : ExitCode.FAILED;
  }
}
