package cifvi.cli.reproduce;

import cifvi.cli.kind.MogConsole;
import cifvi.cli.option.ExitCode;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.sweep.SweepPlan;
import cifvi.cli.sweep.SweepRunner;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.BoundRow;
import cifvi.experiments.mog.BoundStudy;
import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.SlackRow;
import cifvi.experiments.run.RunSpec;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce slack}: what r(u|z) leaves to be gained, by its kind. */
@Command(
    name = "slack",
    sortOptions = false,
    description = "Mixture of 16: E KL(q(u|z) || r(u|z)) with r a normal, a mixture and a flow.",
    footer = {
      "Trains CIF-NSFs, then r anew for each of them, everything else staying as it is. Writes",
      "bounds.csv, slack.csv and slack.txt."
    })
public final class SlackCommand implements Callable<Integer> {
  private static final long DRAWS = 100_000;

  @Spec private CommandSpec spec;

  @Mixin private Seeds seeds;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Of the models (default: ${DEFAULT-VALUE}).")
  private long steps;

  @Option(
      names = "--r-steps",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Of every new r (default: ${DEFAULT-VALUE}).")
  private long stepsOfR;

  @Option(
      names = "--outer",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Draws of z (default: ${DEFAULT-VALUE}).")
  private long outer;

  @Option(
      names = "--inner",
      paramLabel = "M",
      defaultValue = "100",
      description = "Paths back from each (default: ${DEFAULT-VALUE}).")
  private long inner;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/slack",
      description = "Where the runs go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Mixin private SweepRunner runner;

  @Override
  public Integer call() {
    RunSpec.requireCount("--steps", steps, Integer.MAX_VALUE);
    RunSpec.requireCount("--r-steps", stepsOfR, Integer.MAX_VALUE);
    RunSpec.requireCount("--outer", outer, Integer.MAX_VALUE);
    RunSpec.requireCount("--inner", inner, Integer.MAX_VALUE);
    List<MogSpec> models =
        seeds.texts().stream()
            .map(seed -> BoundStudy.trained(steps, Long.parseLong(seed)))
            .toList();
    int trained = train(models);
    if (trained != ExitCode.DONE || runner.dryRun()) {
      return trained;
    }
    List<MogSpec> learning = new ArrayList<>();
    for (MogModel.R r : MogModel.R.values()) {
      models.forEach(
          model ->
              learning.add(
                  BoundStudy.learningR(out.resolve(MogGrid.directory(model)), r, stepsOfR)));
    }
    int learnt = train(learning);
    return learnt == ExitCode.DONE ? print(models, learning) : learnt;
  }

  private int train(List<MogSpec> specs) {
    return runner.run(SweepPlan.of(new MogJobs(new MogGrid(specs), out).cells(), out), out, spec);
  }

  private int print(List<MogSpec> models, List<MogSpec> learnt) {
    var size = new BoundRow.Size(DRAWS, outer, List.of(inner));
    var rows = new ArrayList<SlackRow>();
    try (var interrupt = Interrupt.install()) {
      var console = new MogConsole("", interrupt);
      var study = new BoundStudy(out, what -> (done, of) -> console.evaluating(what, done, of));
      models.forEach(model -> rows.add(study.slack(model, "trained", size)));
      learnt.forEach(model -> rows.add(study.slack(model, model.r().toString(), size)));
    } catch (Progress.StoppedException _) {
      spec.commandLine().getErr().println("saved; go on with the same command");
      return ExitCode.INTERRUPTED;
    }
    List<String> text = SlackRow.text(rows);
    var print = spec.commandLine().getOut();
    text.forEach(print::println);
    print.flush();
    WholeFile.replace(out.resolve("slack.csv"), CsvLog.text(SlackRow.class, rows.stream()));
    WholeFile.replace(out.resolve("slack.txt"), String.join("\n", text) + "\n");
    return ExitCode.DONE;
  }
}
