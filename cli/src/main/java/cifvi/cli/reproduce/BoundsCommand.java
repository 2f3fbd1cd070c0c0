package cifvi.cli.reproduce;

import cifvi.cli.kind.MogConsole;
import cifvi.cli.option.ExitCode;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.sweep.SweepPlan;
import cifvi.cli.sweep.SweepRunner;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.mog.BoundRow;
import cifvi.experiments.mog.BoundStudy;
import cifvi.experiments.mog.GradientRow;
import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.RunSpec;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce bounds}: the bounds of trained models, and the noise of gradients. */
@Command(
    name = "bounds",
    sortOptions = false,
    description = "Mixtures: bounds of trained models in order, and how noisy gradients are.",
    footer = {
      "Trains CIF-NSF on the mixtures of 9 and 16 and a hierarchical model, unless --runs names",
      "others. Writes bounds.csv, gradients.csv and bounds.txt; what is in the first two is kept."
    })
public final class BoundsCommand implements Callable<Integer> {
  private static final int MOST_BATCHES = 1000;
  private static final long MOST_DRAWS = 1_000_000_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--runs",
      split = ",",
      paramLabel = "DIR",
      description = "The bounds of these mixture runs; train nothing, no gradients.")
  private List<Path> runs = List.of();

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Of every model (default: ${DEFAULT-VALUE}).")
  private long steps;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--draws",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "For the ELBO, and for each IWAE (default: ${DEFAULT-VALUE}).")
  private long draws;

  @Option(
      names = "--outer",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Draws of z for bounds on the same z (default: ${DEFAULT-VALUE}).")
  private long outer;

  @Option(
      names = "--inner",
      split = ",",
      paramLabel = "M",
      defaultValue = "1,5,20,100",
      description = "Paths back from each z, rising (default: ${DEFAULT-VALUE}).")
  private List<Long> inner;

  @Option(
      names = "--batches",
      paramLabel = "N",
      defaultValue = "100",
      description = "Gradients of every estimator and state (default: ${DEFAULT-VALUE}).")
  private int batches;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/bounds",
      description = "Where the runs go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Mixin private SweepRunner runner;

  @Override
  public Integer call() {
    RunSpec.requireCount("--steps", steps, Integer.MAX_VALUE);
    RunSpec.requireCount("--draws", draws, MOST_DRAWS);
    RunSpec.requireCount("--outer", outer, MOST_DRAWS);
    requireRising();
    RunSpec.require(batches >= 3, "--batches: expected at least 3, got " + batches);
    RunSpec.requireCount("--batches", batches, MOST_BATCHES);
    List<MogSpec> models = runs.isEmpty() ? BoundStudy.models(steps, seed) : List.of();
    if (!models.isEmpty()) {
      int exitCode = train(models);
      if (exitCode != ExitCode.DONE || runner.dryRun()) {
        return exitCode;
      }
    }
    try (var interrupt = Interrupt.install()) {
      Files.createDirectories(out);
      var console = new MogConsole("", interrupt);
      var study = new BoundStudy(out, what -> (done, of) -> console.evaluating(what, done, of));
      print(bounds(study, models), gradients(study, models));
      return ExitCode.DONE;
    } catch (Progress.StoppedException _) {
      spec.commandLine().getErr().println("saved; go on with the same command");
      return ExitCode.INTERRUPTED;
    } catch (IOException e) {
      throw new UserException(out + ": " + WholeFile.reason(e), e);
    }
  }

  private void requireRising() {
    long last = 0;
    for (long m : inner) {
      RunSpec.require(m > last, "--inner: expected numbers from 1 on that rise, got " + inner);
      last = m;
    }
  }

  private int train(List<MogSpec> models) {
    var specs = Stream.concat(models.stream(), cifs(models).map(BoundStudy::earlier)).toList();
    return runner.run(SweepPlan.of(new MogJobs(new MogGrid(specs), out).cells(), out), out, spec);
  }

  private static Stream<MogSpec> cifs(List<MogSpec> models) {
    return models.stream().filter(model -> model.model().cif());
  }

  private List<BoundRow> bounds(BoundStudy study, List<MogSpec> models) {
    var size = new BoundRow.Size(draws, outer, inner);
    List<Path> folders =
        models.isEmpty()
            ? runs
            : models.stream().map(model -> out.resolve(MogGrid.directory(model))).toList();
    return folders.stream().flatMap(run -> study.bounds(run, size).stream()).toList();
  }

  private List<GradientRow> gradients(BoundStudy study, List<MogSpec> models) {
    return cifs(models).flatMap(model -> study.gradients(model, batches).stream()).toList();
  }

  private void print(List<BoundRow> bounds, List<GradientRow> gradients) {
    var text = new ArrayList<>(BoundRow.text(bounds));
    if (!gradients.isEmpty()) {
      text.add("");
      text.addAll(GradientRow.text(gradients));
    }
    var print = spec.commandLine().getOut();
    text.forEach(line -> print.println(line.stripTrailing()));
    print.flush();
    WholeFile.replace(out.resolve("bounds.txt"), String.join("\n", text) + "\n");
  }
}
