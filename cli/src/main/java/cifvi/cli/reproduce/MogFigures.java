package cifvi.cli.reproduce;

import cifvi.cli.plot.Cell;
import cifvi.cli.plot.FigureGrid;
import cifvi.cli.plot.Numerals;
import cifvi.experiments.figures.DrawnDensity;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.MogPicture;
import cifvi.experiments.mog.MogExperiment;
import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogGrid.Group;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Estimate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The paper's figures 2 to 5 from finished runs: densities of q, CIF above NSF, one column for each
 * σ₀ or seed.
 */
public record MogFigures(Path runs, MogGrid grid, Map<MogSpec, MogResult> results) {
  /** Figure 2: the average case of each group, mean ± standard error over its runs in the title. */
  public void figure2(Path png) {
    var rows =
        labels().stream()
            .map(label -> groups(label).stream().map(this::averageCase).toList())
            .toList();
    List<String> columns = sigmas().stream().map(sigma0 -> "σ₀ = " + sigma0).toList();
    new FigureGrid(rows, columns, labels()).write(png);
  }

  /** Figures 3 to 5: all runs, one figure for each σ₀. */
  public List<Path> figures3to5(Path folder) {
    var written = new ArrayList<Path>();
    for (Sigma0 sigma0 : sigmas()) {
      Path png = folder.resolve("figure" + (3 + written.size()) + ".png");
      var rows = labels().stream().map(label -> runs(group(label, sigma0))).toList();
      FigureGrid.of(rows).withHeadings(seeds(), labels()).write(png);
      written.add(png);
    }
    return written;
  }

  /** The target and what each run made of it, side by side. */
  public static void comparison(List<Path> runs, Path png) {
    var cells = new ArrayList<Cell>();
    for (Path run : runs) {
      var directory = RunDirectory.read(run);
      var result = MogResult.read(directory);
      try (var trained = Run.load(new MogExperiment(), directory, null, RunListener.SILENT);
          var weights = trained.weights()) {
        var picture =
            new MogPicture(trained.model(), result.seed(), Frame.ofMixture(result.components()));
        if (cells.isEmpty()) {
          cells.add(Cell.density("target", picture.target()));
        }
        String modes = result.modesCovered() + " of " + result.components() + " modes";
        cells.add(Cell.density(result.model() + ": " + modes, picture.posterior(weights)));
      }
    }
    FigureGrid.write(List.of(cells), png);
  }

  private Cell averageCase(Group group) {
    var specs = specs(group);
    var ours = specs.stream().map(this::result).toList();
    Estimate mean = MogGrid.marginalElbo(ours);
    MogResult shown = MogGrid.averageCase(ours);
    String title =
        title(mean.mean()) + (ours.size() < 2 ? "" : " ± " + Numerals.title(mean.standardError()));
    return Cell.density(title, density(specs.get(ours.indexOf(shown))));
  }

  private List<Cell> runs(Group group) {
    return specs(group).stream()
        .map(spec -> Cell.density(title(result(spec).marginalElbo()), density(spec)))
        .toList();
  }

  private DrawnDensity density(MogSpec spec) {
    return density(runs, spec);
  }

  /** The density of a finished run, by a kernel estimate. */
  static DrawnDensity density(Path runs, MogSpec spec) {
    var directory = RunDirectory.read(runs.resolve(MogGrid.directory(spec)));
    try (var trained = Run.load(new MogExperiment(), directory, null, RunListener.SILENT)) {
      return new MogPicture(trained.model(), spec.seed(), Frame.ofMixture(spec.components()))
          .kernelEstimate();
    }
  }

  static String title(double elbo) {
    return "ELBO = " + Numerals.title(elbo);
  }

  private List<String> labels() {
    return grid.groups().keySet().stream().map(Group::label).distinct().toList();
  }

  private List<Sigma0> sigmas() {
    return grid.groups().keySet().stream().map(Group::sigma0).distinct().toList();
  }

  private List<String> seeds() {
    return grid.specs().stream().map(spec -> "seed " + spec.seed()).distinct().toList();
  }

  private List<Group> groups(String label) {
    return sigmas().stream().map(sigma0 -> group(label, sigma0)).toList();
  }

  private Group group(String label, Sigma0 sigma0) {
    return grid.groups().keySet().stream()
        .filter(group -> group.label().equals(label) && group.sigma0().equals(sigma0))
        .findFirst()
        .orElseThrow();
  }

  private List<MogSpec> specs(Group group) {
    return grid.groups().getOrDefault(group, List.of());
  }

  private MogResult result(MogSpec spec) {
    MogResult result = results.get(spec);
    if (result == null) {
      throw new IllegalStateException("no result for " + MogGrid.directory(spec));
    }
    return result;
  }
}
