package cifvi.cli.reproduce;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code cifvi reproduce WHAT}: trains what a figure or table of the paper needs and prints ours
 * beside the paper's.
 */
@Command(
    name = "reproduce",
    synopsisSubcommandLabel = "WHAT",
    description =
        "Redo a figure or table and print ours beside the paper's, or beside what is known.",
    commandListHeading = "%nWHAT (each has its own --help):%n",
    footerHeading = "%n",
    footer = {
      "Finished runs are kept and reused; stop with Ctrl-C and start again to go on.",
      "The paper's own numbers come from the placement 'released' (the authors' code)."
    },
    subcommands = {
      Table1Command.class,
      Table5Command.class,
      Table6Command.class,
      BoundsCommand.class,
      SlackCommand.class,
      ObjectivesCommand.class,
      FamiliesCommand.class,
      DensitiesCommand.class,
      PosteriorsCommand.class,
      VerdictsCommand.class
    })
public final class ReproduceCommand implements Runnable {
  /** For what takes several runs. */
  public static final class Jobs {
    @Option(
        names = "--jobs",
        paramLabel = "N",
        defaultValue = "1",
        description = "Runs at a time, each a process (default: ${DEFAULT-VALUE}).")
    private int count;

    int count() {
      return count;
    }
  }

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "WHAT: expected " + String.join(" or ", spec.subcommands().keySet()));
  }

  @Command(
      name = "figure2",
      sortOptions = false,
      description = "Mixtures, K = 9: the average run of every setting.")
  public int figure2(@Mixin MogReproduction mog, @Mixin Jobs jobs) {
    return mog.figure2(jobs.count);
  }

  @Command(
      name = "figures3-5",
      sortOptions = false,
      description = "Mixtures, K = 9: all runs, one figure for each sigma0.")
  public int figures3to5(@Mixin MogReproduction mog, @Mixin Jobs jobs) {
    return mog.figures3to5(jobs.count);
  }

  @Command(name = "k16", sortOptions = false, description = "Mixtures, K = 16, with learnt sigma0.")
  public int k16(@Mixin MogReproduction mog, @Mixin Jobs jobs) {
    return mog.k16(jobs.count);
  }
}
