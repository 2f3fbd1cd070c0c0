package cifvi.cli;

import cifvi.cli.option.ExitCode;
import cifvi.experiments.files.Texts;
import cifvi.experiments.models.Catalogue;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi models}: every named model with its number of parameters. */
@Command(name = "models", description = "List every named model with its number of parameters.")
public final class ModelsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print a JSON array instead of a table.")
  private boolean json;

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    var rows = Catalogue.rows();
    if (json) {
      out.println(Texts.JSON.writeValueAsString(rows));
    } else {
      out.printf(
          "%-24s %-7s %-8s %6s %11s %11s %9s %7s%n",
          "model", "kind", "decoder", "latent", "parameters", "posterior", "target", "layers");
      for (var row : rows) {
        out.printf(
            Locale.ROOT,
            "%-24s %-7s %-8s %6d %,11d %,11d %,9d %7d%n",
            row.name(),
            row.kind(),
            Objects.requireNonNullElse(row.decoder(), "-"),
            row.latent(),
            row.parameters(),
            row.posterior(),
            row.target(),
            row.layers());
      }
    }
    return ExitCode.DONE;
  }
}
