package cifvi.cli.sweep;

import cifvi.cli.kind.RunKinds;
import cifvi.cli.option.Values;
import cifvi.cli.run.RunCommand;
import cifvi.experiments.files.UserException;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.SweepSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The cells of a sweep, checked against the options of their command as picocli knows them; all
 * that is wrong is said at once, before anything runs.
 */
public record SweepPlan(List<Cell> cells) {
  private static final int MOST_SHOWN = 10;

  /** More at a time gain nothing even where they run side by side. */
  private static final int MOST_ON_A_GPU = 4;

  /** Plans one sweep in a folder, which may hold some of its cells already. */
  public static SweepPlan of(SweepSpec spec, Path out) {
    return of(spec, out, true);
  }

  /**
   * Likewise.
   *
   * @param here whether the devices that cells name are those of this machine
   */
  static SweepPlan of(SweepSpec spec, Path out, boolean here) {
    CommandLine command = command(spec.kind());
    refuse(
        spec.settings().entrySet().stream()
            .map(setting -> problem(command, setting.getKey(), setting.getValue()))
            .filter(problem -> !problem.isEmpty())
            .toList());
    List<Cell> cells = oneThread(command, spec).cells();
    refuse(problems(command, cells, out, here));
    return new SweepPlan(cells);
  }

  /** Plans cells of one kind that are no grid. */
  public static SweepPlan of(List<Cell> cells, Path out) {
    refuse(problems(command(cells.getFirst().kind()), cells, out, true));
    return new SweepPlan(cells);
  }

  /** Several plans as one. */
  public static SweepPlan together(List<SweepPlan> plans) {
    return new SweepPlan(plans.stream().flatMap(plan -> plan.cells.stream()).toList());
  }

  private static CommandLine command(String kind) {
    Map<String, CommandLine> kinds = RunCommand.all().getSubcommands();
    CommandLine command = kinds.get(kind);
    if (command == null) {
      throw new UserException(
          "kind: expected " + String.join(" or ", kinds.keySet()) + ", got " + kind);
    }
    return command;
  }

  /** What is wrong with a key, or nothing. */
  private static String problem(CommandLine command, String key, SweepSpec.Setting setting) {
    OptionSpec option = command.getCommandSpec().findOption("--" + key.replace('_', '-'));
    if (key.equals("out")) {
      return "out: the sweep names the folder of each cell; give --out to cifvi sweep";
    }
    if (option == null || key.contains("-") || option.usageHelp() || option.versionHelp()) {
      return key + ": not an option of " + command.getCommandName() + suggestion(command, key);
    }
    if (option.arity().max() == 0
        && !setting.values().stream().allMatch(v -> v.equals("true") || v.equals("false"))) {
      return key
          + ": is a flag; expected true or false, got "
          + String.join(", ", setting.values());
    }
    return "";
  }

  private static String suggestion(CommandLine command, String key) {
    String option = "--" + key.replace('_', '-');
    List<String> near = new UnmatchedArgumentException(command, List.of(option)).getSuggestions();
    return near.stream()
        .filter(name -> name.startsWith("--") && !name.matches("--(no-)?(out|help|version)"))
        .findFirst()
        .map(name -> "; did you mean " + name.substring(2).replace('-', '_') + "?")
        .orElse("; see cifvi " + command.getCommandName() + " --help");
  }

  /** So that any runner gives the same bits. */
  private static SweepSpec oneThread(CommandLine command, SweepSpec spec) {
    var settings = new LinkedHashMap<>(spec.settings());
    if (command.getCommandSpec().findOption("--threads") != null) {
      settings.putIfAbsent("threads", SweepSpec.Setting.fixed("1"));
    }
    return new SweepSpec(spec.kind(), settings);
  }

  /** What is wrong with values, with cells that are one and the same, and with what is there. */
  private static List<String> problems(
      CommandLine command, List<Cell> cells, Path out, boolean here) {
    var problems = new ArrayList<String>();
    var known = new HashMap<RunSpec, String>();
    Consumer<RunSpec> requirements =
        RunKinds.named(command.getCommandName()).orElseThrow().requirements();
    var devices = new HashSet<>(Set.of("cpu"));
    for (Cell cell : cells) {
      try {
        command.getParent().parseArgs(cell.arguments().toArray(String[]::new));
        RunCommand run = command.getCommand();
        RunSpec settings = run.settings();
        String twin = known.putIfAbsent(settings, cell.name());
        if (twin != null) {
          problems.add(
              twin + " and " + cell.name() + " are the same run; remove one of the values");
        }
        RunDirectory.holds(out.resolve(cell.name()), settings);
        if (here && devices.add(settings.device())) {
          var _ = settings.backend();
        }
        requirements.accept(settings);
      } catch (ParameterException e) {
        problems.add(Values.message(e));
      } catch (UserException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return problems.stream().distinct().toList();
  }

  private static void refuse(List<String> problems) {
    if (!problems.isEmpty()) {
      var shown = new ArrayList<>(problems.subList(0, Math.min(MOST_SHOWN, problems.size())));
      if (problems.size() > MOST_SHOWN) {
        shown.add("and " + (problems.size() - MOST_SHOWN) + " more like these");
      }
      throw new UserException(String.join("\n       ", shown));
    }
  }

  /** How many cells run together: one a core, or a few where they share a device. */
  public int atATime() {
    int fitting = Math.max(1, Runtime.getRuntime().availableProcessors() / threads());
    return cudaDevices().isEmpty()
        ? fitting
        : DeviceMemory.isShared() ? Math.min(MOST_ON_A_GPU, fitting) : 1;
  }

  /** Threads of a cell, the most where they differ. */
  int threads() {
    return cells.stream()
        .mapToInt(cell -> Integer.parseInt(cell.options().getOrDefault("threads", "1")))
        .max()
        .orElse(1);
  }

  /** The GPUs that cells name. */
  public Set<String> cudaDevices() {
    return cells.stream()
        .map(cell -> cell.options().getOrDefault("device", ""))
        .filter(device -> device.startsWith("cuda"))
        .collect(Collectors.toSet());
  }
}
