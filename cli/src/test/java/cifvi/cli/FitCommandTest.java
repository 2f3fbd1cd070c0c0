package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.Family;
import cifvi.cli.kind.FitKind;
import cifvi.experiments.fit.FitExperiment;
import cifvi.experiments.fit.FitSpec;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** {@code cifvi fit} and what can be done with its run. */
class FitCommandTest {
  private static final List<Object> SMALL =
      List.of(
          "--family", "nsf", "--steps", "30", "--samples", "64", "--draws", "50", "--threads", "1");

  @TempDir Path folder;

  private static Cli fit(Object... words) {
    var all = new java.util.ArrayList<Object>(List.of("fit"));
    all.addAll(List.of(words));
    all.addAll(SMALL);
    return Cli.run(all.toArray());
  }

  @Test
  void aFitLeavesDrawsAPosteriorAndNumbers() throws IOException {
    Path run = folder.resolve("run");
    Cli cli = fit("--target", "banana", "--out", run);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("banana: nsf in 2 dimensions", "effective sample size", "z.2");
    var result = JsonMapper.shared().readTree(Files.readString(run.resolve("result.json")));
    assertThat(result.path("kind").asString()).isEqualTo("fit");
    assertThat(result.path("family").asString()).isEqualTo("nsf");
    assertThat(result.path("steps").asLong()).isEqualTo(1030);
    assertThat(result.path("gradients").asLong()).isGreaterThan(1030 * 64);
    assertThat(result.path("log_z_se").asDouble()).isPositive();
    assertThat(result.path("known_log_z").asDouble()).isZero();
    assertThat(result.path("k_hat").isNumber()).isTrue();
    assertThat(result.path("k_hat_threshold").asDouble()).isEqualTo(1 - 1 / Math.log10(50));
    assertThat(result.path("verdict").asString()).isIn("good", "usable", "poor");
    assertThat(result.path("trust").path("why").isEmpty()).isFalse();
    assertThat(cli.out()).contains("verdict: ", "k-hat ");
    assertThat(result.path("summary").path(1).path("name").asString()).isEqualTo("z.2");
    assertThat(Files.readAllLines(run.resolve("metrics.csv"))).hasSize(1031);

    Path again = folder.resolve("again.csv");
    assertThat(Cli.run("sample", run, "-n", "50", "--out", again).exitCode()).isZero();
    assertThat(again).hasSameTextualContentAs(run.resolve("draws.csv"));
    Cli other = Cli.run("sample", run, "--seed", "7", "--out", folder.resolve("draws.npz"));
    assertThat(other.exitCode()).as(other.err()).isZero();

    Path resampled = folder.resolve("resampled.csv");
    assertThat(Cli.run("sample", run, "-n", "20", "--resampled", "--out", resampled).exitCode())
        .isZero();
    assertThat(resampled).content().hasLineCount(24);

    assertThat(Cli.run("report", run).exitCode()).isZero();
    assertThat(run.resolve("figures")).isDirectoryContaining("glob:**/pairs.png");
    assertThat(Files.readString(run.resolve("report.html")))
        .contains("<h2 id=\"margins\">", "One posterior was fitted");
    assertThat(Cli.run("resume", run).out()).isEqualTo(cli.out());
    assertThat(Cli.run("evaluate", run, "--importance-samples", "100").out())
        .contains("100 draws: log evidence");
  }

  @Test
  void referenceDrawsAreComparedWith() throws IOException {
    Path first = folder.resolve("first");
    assertThat(fit("--target", "banana", "--out", first).exitCode()).isZero();
    Path run = folder.resolve("run");
    Cli cli = fit("--target", "banana", "--out", run, "--reference", first.resolve("draws.csv"));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    var reference =
        JsonMapper.shared()
            .readTree(Files.readString(run.resolve("result.json")))
            .path("trust")
            .path("reference");
    assertThat(reference.path("draws").asInt()).isEqualTo(50);
    assertThat(reference.path("margins").path(1).path("mean").asDouble()).isZero();
    assertThat(reference.path("eubo").isNumber()).isTrue();
    Path wrong = Files.writeString(folder.resolve("wrong.csv"), "z.1,z.2\n1,2\n1,x\n");
    Cli refused = fit("--target", "banana", "--out", folder.resolve("no"), "--reference", wrong);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("line 3, column \"z.2\": \"x\" is no number");
  }

  @Test
  void simulatedDataCalibrateIt() throws IOException {
    Path run = folder.resolve("run");
    Cli cli =
        Cli.run(
            "fit",
            "--target",
            "eight-schools",
            "--family",
            "mean-field",
            "--steps",
            "200",
            "--samples",
            "64",
            "--threads",
            "1",
            "--calibrate",
            "3",
            "--out",
            run);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("calibration: ranks of 3 simulated data sets");
    assertThat(run.resolve("calibration.csv"))
        .content()
        .hasLineCount(4)
        .startsWith("theta_trans.1");
    assertThat(Cli.run("report", run).exitCode()).isZero();
    assertThat(run.resolve("figures")).isDirectoryContaining("glob:**/ranks.png");
    Cli refused = fit("--target", "banana", "--calibrate", "3", "--out", folder.resolve("no"));
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("--calibrate: this density cannot simulate");
  }

  @Test
  void afterAStopItEndsWithTheSameDraws() {
    Path whole = folder.resolve("whole");
    Path stopped = folder.resolve("stopped");
    assertThat(fit("--target", "banana", "--out", whole).exitCode()).isZero();
    FitSpec spec = FitSpec.read(RunDirectory.read(whole));
    var steps = new AtomicInteger();
    var listener =
        new RunListener() {
          @Override
          public boolean step(String stage, long done, long of, double elbo) {
            return steps.incrementAndGet() < 500;
          }
        };
    assertThat(Run.start(new FitExperiment(), spec, stopped, listener)).isEmpty();
    assertThat(stopped.resolve("result.json")).doesNotExist();
    assertThat(Run.resume(new FitExperiment(), stopped, Continuation.PLAIN, RunListener.SILENT))
        .isPresent();
    assertThat(stopped.resolve("draws.csv")).hasSameTextualContentAs(whole.resolve("draws.csv"));
    assertThat(stopped.resolve("posterior.cifvi"))
        .hasSameBinaryContentAs(whole.resolve("posterior.cifvi"));
    assertThat(stopped.resolve("metrics.csv")).content().hasLineCount(1031);
  }

  @Test
  void aRegressionIsInTheUnitsOfItsFile() throws IOException {
    var csv = new StringBuilder("x,unit,y\n");
    for (int i = 0; i < 200; i++) {
      csv.append(1000 + i).append(",1,").append(3 + 0.5 * i + Math.sin(7 * i)).append('\n');
    }
    Path file = Files.writeString(folder.resolve("data.csv"), csv);
    Path run = folder.resolve("run");
    Cli cli = fit("--regression", "linear", file, "--response", "y", "--out", run);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    var result = JsonMapper.shared().readTree(Files.readString(run.resolve("result.json")));
    assertThat(result.path("notes").path(0).asString()).contains("column \"unit\" is left out");
    var summary = result.path("summary");
    assertThat(summary.path(1).path("name").asString()).isEqualTo("x");
    assertThat(summary.path(1).path("mean").asDouble()).isBetween(0.499, 0.501);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 'expected one of --target, --regression, --class and --stan, got none'",
    "'--target banana --class a.B', 'got several'",
    "'--target bannana', 'no target is named \"bannana\"; did you mean \"banana\"?'",
    "'--target banana --family best', '--family: expected mean-field, full-rank, mixture, maf'",
    "'--target banana --format xls', '--format: expected csv, npz, zarr, got xls'",
    "'--target banana --dimensions 3', 'banana has 2 dimensions, not 3'",
    "'--target banana --objective score', '--objective: expected elbo, path, iwae:K, dreg:K or iwhvi:M'",
    "'--target banana --clip 0', '--clip: expected a positive number, got 0.0'",
    "'--target banana --placement first', '--placement: expected paper or released, got first'",
    "'--target banana --precision half', '--precision: expected float32 or float64, got half'",
    "'--target banana --starts 0', '--starts: expected at least 1, got 0'",
    "'--class com.acme.None --class-path nowhere', 'nowhere'",
    "'--class com.acme.None', '--class: expected --class-path'",
    "'--stan none.so', '--stan: there is no library'",
    "'--stan none.stan', '--stan: there is no model'",
    "'--stan pom.xml', 'pom.xml cannot be opened: '",
    "'--target banana --generated', '--generated and --bridgestan: are for --stan'",
    "'--target banana --data a.json', '--data: is for --stan: leave it out'",
    "'--regression logistic --response y', '--regression: expected a kind and a file'",
    "'--regression logistic none.csv --response y', 'none.csv'",
  })
  void whatCannotBeFittedIsRefusedBeforeAnythingIsWritten(String words, String message) {
    Path run = folder.resolve("run");
    Cli cli = Cli.run((Object[]) ("fit --out " + run + " " + words).strip().split(" +"));
    assertThat(cli.exitCode()).as(cli.err()).isEqualTo(2);
    assertThat(cli.err()).contains(message);
    assertThat(run).doesNotExist();
  }

  @Test
  void gradientsPrecisionAndPlacementAreOptions() throws IOException {
    Path run = folder.resolve("run");
    Cli cli =
        Cli.run(
            (Object[])
                ("fit --target banana --family cif-nsf --objective path --precision float64"
                        + " --placement released --clip 3 --steps 3 --samples 20 --draws 50 --out "
                        + run)
                    .split(" "));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    var result = JsonMapper.shared().readTree(Files.readString(run.resolve("result.json")));
    assertThat(result.path("engine").asString()).isEqualTo("eager");
    assertThat(run.resolve("draws.csv")).exists();
  }

  @ParameterizedTest
  @CsvSource({"'x,y', 'but no rows'", "'x,y|1,0|two,1|3,1', 'two'"})
  void tablesThatAreNoneAreRefusedInWords(String table, String word) throws IOException {
    Path file = Files.writeString(folder.resolve("data.csv"), table.replace('|', '\n') + "\n");
    Path run = folder.resolve("run");
    Cli cli = fit("--regression", "logistic", file, "--response", "y", "--out", run);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains(word);
    assertThat(run).doesNotExist();
  }

  /** The likelihood alone would have no maximum; the priors give one. */
  @Test
  void classesThatCanBeSeparatedAreFitted() throws IOException {
    var csv = new StringBuilder("x,y\n");
    for (int i = 0; i < 60; i++) {
      csv.append(i).append(',').append(i < 30 ? 0 : 1).append('\n');
    }
    Path file = Files.writeString(folder.resolve("data.csv"), csv);
    Path run = folder.resolve("run");
    Cli cli = fit("--regression", "logistic", file, "--response", "y", "--out", run);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    var result = JsonMapper.shared().readTree(Files.readString(run.resolve("result.json")));
    assertThat(result.path("summary").path(1).path("mean").asDouble()).isPositive().isFinite();
  }

  @Test
  void everyFamilyIsAnOption() {
    String help = Cli.run("fit", "--help").out();
    List<String> words = List.of(help.split("[\\s,]+"));
    assertThat(Family.values())
        .allMatch(f -> words.contains(f.toString()) || words.contains(withOptionalIndex(f)));
    assertThat(new FitKind().name()).isEqualTo("fit");
  }

  /** {@code [cif-]nsf} for both families that it stands for. */
  private static String withOptionalIndex(Family family) {
    return "[cif-]" + family.toString().replaceFirst("^cif-", "");
  }
}
