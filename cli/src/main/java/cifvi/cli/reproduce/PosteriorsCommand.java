package cifvi.cli.reproduce;

import cifvi.Family;
import cifvi.cli.option.ExitCode;
import cifvi.cli.option.RunOptions;
import cifvi.cli.report.sweep.ScoreboardPage;
import cifvi.cli.sweep.SweepPlan;
import cifvi.cli.sweep.SweepRunner;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.fit.FitSpec;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.scoreboard.RStan;
import cifvi.experiments.scoreboard.Score;
import cifvi.experiments.scoreboard.StanFolder;
import cifvi.experiments.scoreboard.StanFolder.StanPosterior;
import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.CellFolder;
import cifvi.experiments.target.KnownAnswers;
import cifvi.experiments.target.Targets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce posteriors}: every family on every posterior whose answer is known. */
@Command(
    name = "posteriors",
    sortOptions = false,
    description = "Posteriors with known answers: every family, with NUTS and ADVI beside them.",
    footer = {
      "Writes posteriors.html and posteriors.csv too. A folder of Stan models holds lib*_model.so,",
      "and stan/, data/ and reference/ where there are such files; see docs/stan.md."
    })
public final class PosteriorsCommand implements Callable<Integer> {
  private static final String NONE = "none";

  @Spec private CommandSpec spec;

  @Option(
      names = "--targets",
      split = ",",
      paramLabel = "NAME",
      description = "Densities known by name, or none (default: all).")
  private List<String> targets = Targets.names();

  @Option(
      names = "--stan-dir",
      paramLabel = "DIR",
      description = "Every Stan model of this folder, too.")
  private @Nullable Path stanDir;

  @Option(
      names = "--families",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "mean-field,full-rank,nsf,cif-nsf,auto",
      description = "Of the fits (default: ${DEFAULT-VALUE}).")
  private List<String> families;

  @Mixin private Seeds seeds;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Training steps of a family (default: as of cifvi fit).")
  private @Nullable Long steps;

  @Option(
      names = "--no-rstan",
      description = "Leave NUTS and ADVI out, which run on Stan models where R has rstan.")
  private boolean noRstan;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/posteriors",
      description = "Where the fits are or go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Option(names = "--only-table", description = "Run nothing: the table of what is there.")
  private boolean onlyTable;

  @Mixin private SweepRunner runner;

  /** A fit of the table. */
  private record Planned(
      String posterior, String family, Optional<KnownAnswers> known, Cell cell) {}

  @Override
  public Integer call() {
    List<Planned> planned = planned();
    int exitCode =
        onlyTable
            ? ExitCode.DONE
            : runner.run(
                SweepPlan.of(planned.stream().map(Planned::cell).toList(), out), out, spec);
    if (exitCode != ExitCode.INTERRUPTED && !runner.dryRun()) {
      print(planned);
    }
    return exitCode;
  }

  private List<Planned> planned() {
    families.forEach(family -> RunOptions.choice("--families", family, Family.values()));
    var planned = new ArrayList<Planned>();
    for (String target : targets.equals(List.of(NONE)) ? List.<String>of() : targets) {
      Optional<KnownAnswers> known = Optional.of(Targets.of(target).known());
      planned.addAll(planned(target, known, Map.of("target", target)));
    }
    for (StanPosterior posterior : stan()) {
      var options = new LinkedHashMap<String, String>();
      options.put("stan", posterior.library().toString());
      posterior.data().ifPresent(data -> options.put("data", data.toString()));
      planned.addAll(planned(posterior.name(), posterior.known(), options));
    }
    if (planned.isEmpty()) {
      throw new UserException("--targets none: give a folder of Stan models with --stan-dir");
    }
    return planned;
  }

  private List<StanPosterior> stan() {
    return stanDir == null
        ? List.of()
        : new StanFolder(stanDir)
            .posteriors().stream().map(p -> targets.contains(p.name()) ? p.apart() : p).toList();
  }

  private List<Planned> planned(
      String posterior, Optional<KnownAnswers> known, Map<String, String> source) {
    var planned = new ArrayList<Planned>();
    for (String family : families) {
      for (String seed : seeds.texts()) {
        SequencedMap<String, String> options = new LinkedHashMap<>(source);
        options.put("family", family);
        options.put("seed", seed);
        options.put("threads", "1");
        if (steps != null) {
          options.put("steps", Long.toString(steps));
        }
        String name = "%s-%s-seed%s".formatted(posterior, family, seed);
        var cell = new Cell(name, FitSpec.KIND, options, List.of("family", "seed"));
        planned.add(new Planned(posterior, family, known, cell));
      }
    }
    return planned;
  }

  private void print(List<Planned> planned) {
    var scores = new ArrayList<Score>();
    for (Planned each : planned) {
      Path run = out.resolve(each.cell.name());
      if (new CellFolder(run).isDone()) {
        scores.add(Score.of(each.posterior, each.family, RunDirectory.read(run), each.known));
      }
    }
    scores.addAll(peers(scores));
    var stdout = spec.commandLine().getOut();
    new ScoreboardText(scores).lines().forEach(stdout::println);
    WholeFile.replace(out.resolve("posteriors.csv"), Score.csv(scores));
    Path page = out.resolve("posteriors.html");
    ScoreboardPage.write(scores, out, page);
    stdout.println(page);
    stdout.flush();
  }

  /** NUTS and ADVI, with as many gradients as the costliest of our fits took. */
  private List<Score> peers(List<Score> ours) {
    List<StanPosterior> known = stan().stream().filter(p -> p.source().isPresent()).toList();
    if (noRstan || known.isEmpty() || !RStan.isThere()) {
      return List.of();
    }
    var scores = new ArrayList<Score>();
    for (StanPosterior posterior : known) {
      ours.stream()
          .filter(score -> score.posterior().equals(posterior.name()))
          .map(Score::gradients)
          .max(Double::compare)
          .ifPresent(
              gradients -> {
                var err = spec.commandLine().getErr();
                err.println("rstan: NUTS and ADVI on " + posterior.name());
                err.flush();
                long seed = Long.parseLong(seeds.texts().getFirst());
                scores.addAll(new RStan(out.resolve("rstan")).scores(posterior, gradients, seed));
              });
    }
    return scores;
  }
}
