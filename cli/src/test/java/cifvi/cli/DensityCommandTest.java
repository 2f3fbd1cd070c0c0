package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** {@code cifvi density} and what can be done with its run. */
class DensityCommandTest {
  private static final List<Object> SMALL =
      List.of("--flow-steps", "1", "--hidden", "8", "--steps", "110", "--importance-samples", "4");

  @TempDir Path folder;

  private static Cli density(Object... words) {
    var all = new ArrayList<Object>(List.of("density"));
    all.addAll(List.of(words));
    all.addAll(SMALL);
    return Cli.run(all.toArray());
  }

  private Path table(String header) throws IOException {
    var random = new Random(1);
    var text = new StringBuilder(header);
    for (int i = 0; i < 300; i++) {
      double x = random.nextGaussian();
      text.append(
          String.format(
              Locale.ROOT,
              "%f,%f,%f%n",
              x,
              5 + 2 * x + random.nextGaussian(),
              random.nextDouble()));
    }
    return Files.writeString(folder.resolve("table.csv"), text.toString());
  }

  @Test
  void aSetInThePlane() throws IOException {
    Path run = folder.resolve("run");
    Cli cli = density("two-moons", "--rows", "1000", "--out", run);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("cif-nsf, two-moons, seed 1", "test log p(x), S = 4");
    var result = JsonMapper.shared().readTree(Files.readString(run.resolve("result.json")));
    assertThat(result.path("kind").asString()).isEqualTo("density");
    assertThat(result.path("test_rows").asInt()).isEqualTo(100);
    assertThat(result.path("valid_elbo_best").isNumber()).isTrue();
    assertThat(Cli.run("resume", run).out()).isEqualTo(cli.out());
    Cli evaluated = Cli.run("evaluate", run, "--importance-samples", "6", "--repeat", "2");
    assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
    assertThat(evaluated.out()).contains("S = 6, kept in result.json");
    assertThat(run.resolve("evaluations.csv")).content().hasLineCount(3);
    Cli report = Cli.run("report", run);
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(run.resolve("figures")).isDirectoryContaining("glob:**/density.png");
    assertThat(Files.readString(run.resolve("report.html"))).contains("One density was estimated");
  }

  @Test
  void aTableWithGivenColumns() throws IOException {
    Path run = folder.resolve("run");
    Path table = table("x,y,w\n");
    Cli cli = density(table, "--model", "maf", "--given", "x", "--out", run);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("maf, table.csv given x");
    Path draws = folder.resolve("draws.csv");
    Cli sample = Cli.run("sample", run, "-n", "40", "--out", draws);
    assertThat(sample.exitCode()).as(sample.err()).isZero();
    assertThat(draws).content().contains("log_g__,y,w,x").hasLineCount(44);
  }

  @Test
  void aFirstRowOfNumbersIsARow() throws IOException {
    Cli cli = density(table(""), "--given", "x3", "--model", "nsf", "--out", folder.resolve("run"));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1,2,NA; row 301 (line 302), column \"w\": missing (\"NA\")",
        "1,two,3; row 301 (line 302), column \"y\": \"two\" is no number",
        "1,2; row 301 (line 302): expected 3 cells, got 2",
      })
  void badCellsAreRefusedWithRowAndColumn(String line, String words) throws IOException {
    Path table = table("x,y,w\n");
    Files.writeString(table, Files.readString(table) + line + "\n");
    Cli cli = density(table, "--out", folder.resolve("run"));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("table.csv: " + words);
    assertThat(folder.resolve("run")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "; DATA: expected a CSV file, a PNG picture or one of two-moons",
        "rings --data rings; got two",
        "rings --given z; no column is named \"z\"; there are x, y",
        "rings --given x,y; and not all 2 of them",
        "rings --split 0.5,0.5; --split: expected shares",
        "rings --inference cif --model nsf; --inference cif: is for cif-maf and cif-nsf",
        "nothing.csv --rows 100; --rows: is for built-in sets",
      })
  void whatCannotBeIsRefused(String words, String message) {
    Object[] all = words == null ? new Object[0] : words.split(" ");
    Cli cli = density(all);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains(message);
  }

  @Test
  void theTableIsOfTheRunsThatAreThere() throws IOException {
    for (String model : List.of("nsf", "cif-nsf")) {
      Path run = folder.resolve("rings-" + model + "-seed1");
      assertThat(density("rings", "--rows", "500", "--model", model, "--out", run).exitCode())
          .isZero();
    }
    Cli cli = Cli.run("reproduce", "density", "--only-table", "--out", folder);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("CIF-NSF is ahead by").contains("rings            NSF   ");
    List<String> lines = Files.readAllLines(folder.resolve("density.csv"));
    assertThat(lines).hasSize(3);
    String[] flow = lines.get(1).split(",", -1);
    String[] cif = lines.get(2).split(",", -1);
    assertThat(Double.parseDouble(flow[10]))
        .isCloseTo(Double.parseDouble(cif[6]) - Double.parseDouble(flow[6]), within(1e-9));
    assertThat(folder.resolve("density.png")).isNotEmptyFile();
    Cli dry = Cli.run("reproduce", "density", "--dry-run", "--out", folder.resolve("new"));
    assertThat(dry.out()).hasLineCount(36).contains("--data=two-moons");
  }
}
