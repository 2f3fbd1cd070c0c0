package cifvi.cli.run;

import cifvi.cli.kind.RunKind;
import cifvi.cli.option.ExitCode;
import cifvi.cli.option.Values;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.progress.Printable;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Experiment;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunResult;
import cifvi.experiments.run.RunSpec;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A command that makes one run: what {@code sweep} can make many of. */
public interface RunCommand extends Callable<Integer> {
  /** The commands that make runs, to read words with. */
  static CommandLine all() {
    var all = new CommandLine(CommandSpec.create().name("cifvi"));
    all.addSubcommand(new MogCommand());
    all.addSubcommand(new ImagesCommand());
    all.addSubcommand(new FitCommand());
    all.addSubcommand(new DensityCommand());
    Values.register(all);
    all.setExpandAtFiles(false); // a folder may begin with @
    return all;
  }

  /** The settings of the run; wrong values of options are refused here. */
  RunSpec settings();

  /** Makes a run and prints what it found. */
  static <S extends RunSpec, R extends RunResult> int start(
      CommandSpec command, RunKind<S, R> kind, S spec, Path out) {
    try (var interrupt = Interrupt.install()) {
      var console = kind.console(spec, interrupt);
      return finish(command, kind, out, Run.start(kind.experiment(null), spec, out, console));
    }
  }

  /** Goes on with a run and prints what it found. */
  static <S extends RunSpec, R extends RunResult> int resume(
      CommandSpec command,
      RunKind<S, R> kind,
      RunDirectory directory,
      Continuation how,
      @Nullable Path dataDir) {
    try (var interrupt = Interrupt.install()) {
      Experiment<S, R> experiment = kind.experiment(dataDir);
      var console = kind.console(how.wanted(directory, experiment.specType()), interrupt);
      Path path = directory.path();
      return finish(command, kind, path, Run.resume(experiment, path, how, console));
    }
  }

  /** Prints the result of a run, or how to go on with one that was stopped. */
  private static <R extends RunResult> int finish(
      CommandSpec command, RunKind<?, R> kind, Path out, Optional<R> result) {
    if (result.isEmpty()) {
      command
          .commandLine()
          .getErr()
          .println("saved; go on with: cifvi resume " + Printable.of(out));
      command.commandLine().getErr().flush();
      return ExitCode.INTERRUPTED;
    }
    kind.print(command.commandLine().getOut(), result.get());
    command.commandLine().getOut().println(Printable.of(out.resolve(RunDirectory.RESULT)));
    return result.get().brokeOff() ? ExitCode.FAILED : ExitCode.DONE;
  }
}
