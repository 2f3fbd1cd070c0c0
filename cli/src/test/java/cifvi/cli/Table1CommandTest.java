package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.cli.option.ExitCode;
import cifvi.cli.reproduce.Table1Command;
import cifvi.cli.run.ImagesCommand;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.LrSchedule;
import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.SweepSpec;
import cifvi.posterior.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tables 1 and 5 from folders that hold some runs and lack others. */
class Table1CommandTest {
  @TempDir Path folder;

  private Cli table(String... more) {
    var words = new Object[5 + more.length];
    List<String> fixed = List.of("reproduce", "table1", "--only-table", "--out", folder.toString());
    for (int i = 0; i < words.length; i++) {
      words[i] = i < 5 ? fixed.get(i) : more[i - 5];
    }
    return Cli.run(words);
  }

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(folder.resolve(name));
  }

  private void threeSeeds(ImageModel model, double... values) throws IOException {
    for (int i = 0; i < values.length; i++) {
      new MadeUpRuns(folder).finished(model, i + 1, values[i]);
    }
  }

  @Test
  void meansErrorsAndBoldFigures() throws IOException {
    threeSeeds(ImageModel.MAF_SMALL, -92, -93, -94);
    threeSeeds(ImageModel.CIF_MAF, -91, -91.5, -92);
    threeSeeds(ImageModel.VAE, -96, -96.1, -96.2);
    var cli = table();
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out().lines())
        .anyMatch(
            l ->
                l.matches(" +Small MAF +-93.00 ± 0.58 +-91.98 ± 0.19 +seeds 1 2 3, 50 test images"))
        .anyMatch(l -> l.matches(" +CIF-MAF \\(released\\) +\\* -91.50 ± 0.29 +-90.87 ± 0.05.*"))
        .anyMatch(l -> l.matches(" +Large NSF +– +\\* -90.79 ± 0.02 +missing"));
    assertThat(lines("table1.csv"))
        .anyMatch(
            l ->
                l.matches(
                    "mnist,small,maf-small,,,1 2 3,0,-93.0,0.57735\\d+,false,"
                        + "-92.5,0.57735\\d+,false,-91.98,0.19,false,50 test images"))
        .anyMatch(l -> l.startsWith("fashion-mnist,large,nsf-large,,,,0,,,false,,,false,"));
  }

  @Test
  void runsThatStoppedShortAreMarked() throws IOException {
    var runs = new MadeUpRuns(folder);
    runs.finished(ImageModel.VAE, Placement.PAPER, 1, 10, 10, -97.25);
    runs.unfinished(ImageModel.VAE, Placement.PAPER, 2, 10);
    runs.unfinished(ImageModel.IWAE, Placement.PAPER, 1, 10);
    assertThat(table("--data", "mnist", "--decoder", "small", "--models", "vae,iwae").out().lines())
        .anyMatch(
            l ->
                l.matches(
                    " +VAE +-97.25 +-94.83 ± 0.05 +seed 1, 10 epochs, 50 test images, 1 unfinished"))
        .anyMatch(l -> l.matches(" +IWAE \\(K = 5\\) +– +-93.14 ± 0.10 +1 unfinished"))
        .noneMatch(l -> l.contains("MAF") || l.contains("Fashion") || l.contains("large"));
  }

  @Test
  void aRunThatBrokeOffIsMarkedAndFailsEvenWhenAskedAgain() throws IOException {
    Path run = new MadeUpRuns(folder).finished(ImageModel.MAF_LARGE, 2, -99.5);
    Path result = run.resolve("result.json");
    Files.writeString(
        result,
        Files.readString(result)
            .replace("\"best_epoch\"", "\"broke_off_at_epoch\" : 84, \"best_epoch\""));
    assertThat(table("--data", "mnist", "--decoder", "small").out().lines())
        .anyMatch(
            l ->
                l.matches(
                    " +Large MAF +\\*? *-99.50 +-92.68 ± 0.26 +seed 2, seed 2 broke off in epoch 84, 50 test images"));
    assertThat(lines("table1.csv")).anyMatch(l -> l.contains("seed 2 broke off in epoch 84"));
    assertThat(folder.resolve("table1.html")).content().contains("broke off in epoch 84");
    var resumed = Cli.run("resume", run);
    assertThat(resumed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(resumed.out()).contains("broke off in epoch 84");
  }

  @Test
  void iwaeWithMoreSamplesHasARowOfItsOwnWhereAskedFor() throws IOException {
    var runs = new MadeUpRuns(folder);
    runs.finished(ImageModel.IWAE, 1, -93);
    runs.finished(ImageModel.IWAE_10, 1, -92.5);
    var usual = table();
    assertThat(usual.exitCode()).isZero();
    assertThat(usual.out().lines())
        .anyMatch(l -> l.matches(" +IWAE \\(K = 5\\) +-93.00 +-93.14 ± 0.10 +seed 1,.*"))
        .noneMatch(l -> l.contains("K = 10"));
    assertThat(table("--models", "iwae,iwae-10").out().lines())
        .anyMatch(l -> l.matches(" +IWAE \\(K = 5\\) +-93.00 +-93.14 ± 0.10 +seed 1,.*"))
        .anyMatch(l -> l.matches(" +IWAE \\(K = 10\\) +\\* -92.50 +– +seed 1,.*"));
    assertThat(lines("table1.csv"))
        .anyMatch(l -> l.startsWith("mnist,small,iwae-10,,,1,0,-92.5,,true,"));
  }

  @Test
  void bothPlacementsHaveTheirRows() throws IOException {
    var runs = new MadeUpRuns(folder);
    runs.finished(ImageModel.CIF_NSF, 1, -91);
    Path elsewhere = Files.createDirectories(folder.resolve("more"));
    new MadeUpRuns(elsewhere).finished(ImageModel.CIF_NSF, Placement.PAPER, 1, 80, 1000, -90);
    assertThat(table("--models", "cif-nsf").out())
        .containsSubsequence("CIF-NSF (released)", "CIF-NSF (paper)");
    assertThat(Files.readString(folder.resolve("table1.html")))
        .contains("href=\"cif-nsf-seed1/\"", "href=\"more/cif-nsf-seed1/\"");
  }

  @Test
  void twoRunsOfOneCellAndSeedAreRefused() throws IOException {
    new MadeUpRuns(folder).finished(ImageModel.VAE, 1, -91);
    new MadeUpRuns(folder.resolve("again")).finished(ImageModel.VAE, 1, -91);
    var cli = table();
    assertThat(cli.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.err()).contains("are both VAE on MNIST, small decoder with seed 1");
  }

  @Test
  void differencesArePairedByImage() throws IOException {
    var runs = new MadeUpRuns(folder);
    for (int seed = 1; seed <= 2; seed++) {
      Path flow = runs.finished(ImageModel.NSF_SMALL, seed, -92);
      MadeUpRuns.likelihoods(flow, "fixed-S1000-0.csv", -90, 0);
      MadeUpRuns.likelihoods(flow, "fixed-S100-0.csv", -99, 0);
      Path cif = runs.finished(ImageModel.CIF_NSF, seed, -91);
      MadeUpRuns.likelihoods(cif, "fixed-S1000-0.csv", -90, 3 * seed);
    }
    Path third = runs.finished(ImageModel.CIF_NSF, 3, -91);
    MadeUpRuns.likelihoods(third, "fixed-S1000-0.csv", 0, 0); // nothing to be paired with
    table();
    List<String> lines = lines("table1-differences.csv");
    assertThat(lines).hasSize(2);
    String[] cells = lines.get(1).split(",", -1);
    assertThat(lines.get(1)).startsWith("mnist,small,CIF-NSF (released) − Small NSF,1 2,1000,50,");
    double share = 17 / 50.0; // images 0, 3, ..., 48 are better by 4.5 on average
    assertThat(Double.parseDouble(cells[6])).isCloseTo(4.5 * share, within(1e-12));
    assertThat(Double.parseDouble(cells[7]))
        .isCloseTo(4.5 * Math.sqrt(share * (1 - share) / 49), within(1e-12));
    assertThat(table().out()).contains("CIF-NSF (released) − Small NSF", "+1.530 ± 0.305");
  }

  /** A folder of runs beside another: means of both, the paper's, and differences by image. */
  @Test
  void anotherFolderCanStandBeside() throws IOException {
    Path released = Files.createTempDirectory(folder.getParent(), "released");
    for (int seed = 1; seed <= 2; seed++) {
      Path recipe = new MadeUpRuns(folder).finished(ImageModel.NSF_SMALL, seed, -90 - seed);
      MadeUpRuns.likelihoods(recipe, "fixed-S1000-0.csv", -90, 3);
      Path before = new MadeUpRuns(released).finished(ImageModel.NSF_SMALL, seed, -92);
      MadeUpRuns.likelihoods(before, "fixed-S1000-0.csv", -90, 0);
    }
    new MadeUpRuns(released).finished(ImageModel.VAE, 1, -95);
    var cli = table("--data", "mnist", "--decoder", "small", "--beside", released.toString());
    assertThat(cli.out().lines())
        .anyMatch(
            l ->
                l.matches(
                    " +MNIST, small decoder, Small NSF +-91.50 ± 0.50 +-92.00 ± 0.00 +-91.12 ± 0.15 +[+]0.50 ± 0.50 \\(0.20\\), seeds 1 2"))
        .anyMatch(l -> l.matches(" +MNIST, small decoder, VAE +– +-95.00 +-94.83 ± 0.05"));
    List<String> lines = lines("table1-beside.csv");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1)).isEqualTo("mnist,small,vae,,,,-95.0,,-94.83,0.05,,,,");
    assertThat(lines.get(2))
        .startsWith("mnist,small,nsf-small,,-91.5,0.5,-92.0,0.0,-91.12,0.15,1 2,0.5,0.5,0.2");
    assertThat(table("--beside", "nowhere").err()).contains("--beside nowhere: there is no such");
  }

  @Test
  void anEvaluationCutShortDoesNotCount() throws IOException {
    var runs = new MadeUpRuns(folder);
    for (ImageModel model : List.of(ImageModel.VAE, ImageModel.IWAE)) {
      Path run = runs.finished(model, 1, -92);
      MadeUpRuns.likelihoods(run, "fixed-S1000-0.csv", -90, 1);
    }
    Path file = folder.resolve("vae-seed1/likelihoods/fixed-S1000-0.csv");
    Files.write(file, Files.readAllLines(file).subList(0, 20));
    table();
    assertThat(lines("table1-differences.csv")).hasSize(1);
  }

  @Test
  void anEmptyFolderGivesAnEmptyTable() {
    assertThat(table().exitCode()).isZero();
    assertThat(table().out().lines().filter(line -> line.endsWith("missing"))).hasSize(9 * 4);
  }

  @Test
  void table5IsTheVarianceOverEvaluations() throws IOException {
    var runs = new MadeUpRuns(folder);
    for (int seed = 1; seed <= 2; seed++) {
      Path run = runs.finished(ImageModel.VAE, seed, -92);
      for (int repeat = 0; repeat < 3; repeat++) {
        MadeUpRuns.likelihoods(run, "fresh-S1000-%d.csv".formatted(repeat), seed * repeat, 0);
        MadeUpRuns.likelihoods(run, "fixed-S1000-%d.csv".formatted(repeat), 0.1 * repeat, 0);
      }
    }
    Path lacking = runs.finished(ImageModel.IWAE, 1, -92);
    var cli = Cli.run("reproduce", "table5", "--out", folder, "--data", "mnist");
    assertThat(cli.out().lines())
        .anyMatch(l -> l.matches(" +VAE +2.50e\\+00 +1.00e-02 +2.60e-03 +2"))
        .anyMatch(l -> l.matches(" +IWAE \\(K = 5\\) +– +– +– +0"))
        .contains("  cifvi evaluate " + lacking + " --importance-samples 1000 --repeat 3");
  }

  @Test
  void theSweepOfTheRepositoryIsThatOfTheCommand() throws IOException {
    var written = SweepSpec.parse(Files.readString(Path.of("../sweeps/table1.yaml")));
    assertThat(specs().getFirst().cells()).isEqualTo(written.cells());
    assertThat(written.cells()).hasSize(9 * 2 * 2 * 3);
    assertThat(written.cells().getFirst().name()).isEqualTo("vae-mnist-small-seed1");
  }

  /** One recipe for all: every cell trains to its last epoch. */
  @Test
  void theRecipeOfTheRepositoryHasNoPatience() throws IOException {
    var written = SweepSpec.parse(Files.readString(Path.of("../sweeps/table1-recipe.yaml")));
    assertThat(written.cells()).hasSize(9 * 3);
    for (Cell cell : written.cells()) {
      var command = new ImagesCommand();
      List<String> words = cell.arguments();
      new CommandLine(command).parseArgs(words.subList(1, words.size()).toArray(String[]::new));
      ImagesSpec spec = command.settings();
      assertThat(spec.patience()).isNull();
      assertThat(spec.lrSchedule()).isEqualTo(LrSchedule.COSINE);
      assertThat(spec.average()).as("none: the last epochs are all alike").isNull();
      assertThat(spec.clip()).as("of flows and of baselines").isEqualTo(5);
    }
  }

  @Test
  void theSecondPlacementIsRunForCifsOnly() {
    List<SweepSpec> specs =
        specs("--placement", "paper,released", "--seeds", "4,7", "--budget", "0.01");
    assertThat(specs.getFirst().cells()).hasSize(9 * 2 * 2 * 2);
    assertThat(specs.getLast().cells())
        .extracting(Cell::name)
        .contains("cif-nsf-released-fashion-mnist-large-seed7")
        .hasSize(2 * 2 * 2 * 2);
    assertThat(specs.getLast().cells().getFirst().options()).containsEntry("epochs", "10");
  }

  private static List<SweepSpec> specs(String... arguments) {
    var command = new Table1Command();
    new CommandLine(command).parseArgs(arguments);
    return command.specs();
  }
}
