package cifvi.cli;

import cifvi.cli.option.ExitCode;
import cifvi.experiments.data.DataDirectory;
import cifvi.experiments.doctor.Doctor;
import cifvi.experiments.doctor.Finding;
import cifvi.experiments.doctor.Finding.Level;
import cifvi.experiments.files.Texts;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi doctor}: what is here, what will be used, and what helps where something lacks. */
@Command(
    name = "doctor",
    description = "Say what this machine has, what will be used of it, and how to fix what lacks.",
    footer = "Exit code 1 where something is broken that every run needs.")
public final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Folder with mnist/ and fashion-mnist/ (default: the user's cache).")
  private @Nullable Path dataDir;

  @Option(names = "--json", description = "Print a JSON array instead of a table.")
  private boolean json;

  @Override
  public Integer call() {
    var findings = new Doctor(dataDir == null ? DataDirectory.byDefault() : dataDir).findings();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          Texts.JSON.writeValueAsString(findings.stream().map(DoctorCommand::json).toList()));
    } else {
      print(findings, out);
    }
    out.flush();
    boolean broken = findings.stream().anyMatch(finding -> finding.level() == Level.BROKEN);
    return broken ? ExitCode.FAILED : ExitCode.DONE;
  }

  private static void print(List<Finding> findings, PrintWriter out) {
    for (Finding finding : findings) {
      out.printf("%-6s  %-20s  %s%n", finding.level(), finding.topic(), finding.found());
      if (!finding.remedy().isEmpty()) {
        out.printf("%-6s  %-20s  -> %s%n", "", "", finding.remedy());
      }
    }
  }

  /** Under the names users' scripts rely on. */
  private static Map<String, String> json(Finding finding) {
    var map = new LinkedHashMap<String, String>();
    map.put("topic", finding.topic());
    map.put("level", finding.level().toString());
    map.put("found", finding.found());
    map.put("remedy", finding.remedy());
    return map;
  }
}
