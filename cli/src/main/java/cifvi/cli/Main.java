package cifvi.cli;

import cifvi.cli.option.ExitCode;
import cifvi.cli.option.Values;
import cifvi.cli.progress.Printable;
import cifvi.cli.reproduce.ReproduceCommand;
import cifvi.cli.run.DensityCommand;
import cifvi.cli.run.EvaluateCommand;
import cifvi.cli.run.EvaluatePartCommand;
import cifvi.cli.run.FitCommand;
import cifvi.cli.run.ImagesCommand;
import cifvi.cli.run.MogCommand;
import cifvi.cli.run.ReportCommand;
import cifvi.cli.run.ResumeCommand;
import cifvi.cli.run.SampleCommand;
import cifvi.cli.sweep.Child;
import cifvi.cli.sweep.DeviceMemory;
import cifvi.cli.sweep.SweepCommand;
import cifvi.experiments.files.UserException;
import cifvi.experiments.machine.Provenance;
import cifvi.tensor.NativeCache;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point, and the only place that ends the process. */
@Command(
    name = "cifvi",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Variational inference with continuously-indexed normalizing flows.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the run failed (non-finite loss, verification failed)",
      "2:something is wrong with what was given, files included",
      "130:interrupted, with the state saved"
    },
    subcommands = {
      DemoCommand.class,
      MogCommand.class,
      ImagesCommand.class,
      FitCommand.class,
      DensityCommand.class,
      ResumeCommand.class,
      EvaluateCommand.class,
      EvaluatePartCommand.class,
      SampleCommand.class,
      ReportCommand.class,
      ReproduceCommand.class,
      SweepCommand.class,
      DataCommand.class,
      ModelsCommand.class,
      VerifyCommand.class,
      BenchCommand.class,
      DoctorCommand.class
    })
public final class Main implements Callable<Integer> {
  private static final String WELCOME =
      """
      cifvi fits posteriors with normalizing flows, and with continuously-indexed flows (CIFs):
      from a base much narrower or wider than the target they find modes that flows mostly
      miss; from one that fits, both find them, and a well-trained CIF comes closer.

        cifvi demo              see it: a flow and a CIF on nine modes, in two minutes
        cifvi fit               a posterior of your own: cifvi fit --target eight-schools
        cifvi density           a density of your rows: cifvi density data.csv
        cifvi mog               one run of the mixture experiment, every setting yours
        cifvi images            one run of the image experiment
        cifvi resume DIR        go on where a run was stopped
        cifvi report DIR...     one web page about one or more runs

      Results go to runs/. All commands: cifvi --help
      """;

  private static final int HELP_WIDTH = 100;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(WELCOME);
    spec.commandLine().getOut().flush();
    return ExitCode.DONE;
  }

  public static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"cifvi " + Provenance.VERSION};
    }
  }

  public static CommandLine commandLine() {
    var commandLine = new CommandLine(new Main());
    Values.register(commandLine);
    commandLine.setExpandAtFiles(false); // a folder may begin with @
    commandLine.setExecutionStrategy(Main::execute);
    commandLine.setParameterExceptionHandler((e, _) -> usageError(e));
    commandLine.setExecutionExceptionHandler((e, command, _) -> failure(e, command.getErr()));
    commandLine.setUsageHelpWidth(HELP_WIDTH);
    commandLine.getSubcommands().values().forEach(Main::addHelp);
    return commandLine;
  }

  private static void addHelp(CommandLine subcommand) {
    subcommand.getCommandSpec().mixinStandardHelpOptions(true);
    subcommand.setUsageHelpLongOptionsMaxWidth(24);
    subcommand.setUsageHelpWidth(HELP_WIDTH);
    subcommand.getSubcommands().values().forEach(Main::addHelp);
  }

  /** Runs the command; a JVM without memory is told like any other shortage. */
  private static int execute(ParseResult words) {
    try {
      return new RunLast().execute(words);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof OutOfMemoryError error) {
        e.getCommandLine().getErr().println("cifvi: " + MemoryShortage.remedy(error));
        return ExitCode.FAILED;
      }
      throw e;
    } catch (OutOfMemoryError e) {
      words.commandSpec().commandLine().getErr().println("cifvi: " + MemoryShortage.remedy(e));
      return ExitCode.FAILED;
    }
  }

  private static int usageError(ParameterException e) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("cifvi: " + Printable.of(Values.message(e)));
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("see: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }

  private static int failure(Exception e, PrintWriter err) {
    if (e instanceof UserException || e instanceof IllegalArgumentException) {
      err.println("cifvi: " + Printable.of(e.getMessage()));
      return ExitCode.USAGE;
    }
    Optional<String> full = DeviceMemory.explain(e).or(() -> MemoryShortage.explain(e));
    if (full.isPresent() || e instanceof ArithmeticException) {
      err.println("cifvi: " + Printable.of(full.orElse(e.getMessage())));
    } else {
      e.printStackTrace(err);
    }
    return ExitCode.FAILED;
  }

  public static void main(String[] args) {
    NativeCache.claim();
    var _ = Child.orphaned().thenRunAsync(() -> System.exit(ExitCode.INTERRUPTED));
    System.exit(commandLine().execute(args));
  }
}
