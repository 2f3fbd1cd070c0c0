package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import cifvi.tensor.Torch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The command answers well, whatever it is given. */
class MainTest {
  @TempDir Path folder;

  @Test
  void withoutArgumentsItSaysWhatItIs() {
    var cli = Cli.run();
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).contains("cifvi demo", "cifvi fit", "cifvi mog", "cifvi resume", "runs/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "mog",
        "images",
        "fit",
        "density",
        "sample",
        "resume",
        "evaluate",
        "report",
        "reproduce",
        "reproduce table1",
        "reproduce table5",
        "reproduce table6",
        "reproduce density",
        "reproduce figure2",
        "sweep",
        "data",
        "models",
        "verify",
        "bench",
        "doctor"
      })
  void helpFitsAScreen(String command) {
    var cli = Cli.run((Object[]) (command + " --help").split(" ", -1));
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out().lines().count()).isLessThanOrEqualTo(40);
    assertThat(cli.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @ParameterizedTest
  @CsvSource({
    "--steps, -5, '--steps: expected at least 1, got -5'",
    "--model, maf, '--model: expected nsf or nsf-affine or cif-nsf or coupling-affine or cif-coupling-affine or hvm or sivi or hvi, got maf'",
    "--sigma0, 0, '--sigma0: expected learn or a number from 1e-6 to 1e6, got 0'",
    "--sigma0, 1e-300, '--sigma0: expected learn or a number from 1e-6 to 1e6, got 1e-300'",
    "--sigma0, wide, '--sigma0: expected learn or a number from 1e-6 to 1e6, got wide'",
    "--learning-rate, NaN, '--learning-rate: expected a positive number, got NaN'",
    "--components, 10, '--components: expected 9 or 16, got 10'",
    "--clip, 0, '--clip: expected a positive number, got 0.0'",
    "--tail-bound, -1, '--tail-bound: expected a positive number, got -1.0'",
    "--threads, 0, '--threads: expected at least 1, got 0'",
    "--threads, 2147483647, '--threads: expected at most 1,024, got 2,147,483,647'",
    "--samples, 2000000000, '--samples: expected at most 1,000,000, got 2,000,000,000'",
    "--steps, 5000000000, '--steps: expected at most 4,294,967,295, got 5,000,000,000'",
    "--precision, half, '--precision: expected float32 or float64, got half'",
    "--placement, left, '--placement: expected paper or released, got left'",
    "--engine, warp, '--engine: expected auto, eager, fused or graph, got warp'",
    "--device, tpu, '--device: expected cpu, cuda or cuda:n, got tpu'",
    "--lr-schedule, up, '--lr-schedule: expected constant or cosine, got up'",
  })
  void aBadValueIsNamedWithWhatWasExpected(String option, String value, String message) {
    var cli = Cli.run("mog", option, value, "--out", folder.resolve("run"));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).isEqualTo("cifvi: " + message + System.lineSeparator());
    assertThat(folder.resolve("run")).doesNotExist();
  }

  /** Folders may be called so; a file of words to be taken for arguments is none of ours. */
  @Test
  void anAtSignIsALetterLikeAnyOther() throws IOException {
    Path words = Files.writeString(folder.resolve("words"), "--help");
    var cli = Cli.run("resume", "@" + words);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .isEqualTo("cifvi: @%s is not a run directory: it has no spec.yaml%n".formatted(words));
  }

  /** Before a file is looked for or a thread started. */
  @ParameterizedTest
  @CsvSource({
    "images --batch 2000000000, '--batch: expected at most 10,000, got 2,000,000,000'",
    "evaluate no/run --chunk 2000000000, '--chunk: expected at most 1,000,000, got 2,000,000,000'",
    "bench --threads 2147483647, '--threads: expected at most 1,024, got 2,147,483,647'",
    "bench --seconds 1e300, '--seconds: expected a positive number up to 86400, got 1.0E300'",
    "reproduce k16 --seeds 2000000000, '--seeds: expected at most 1,000, got 2,000,000,000'",
    "reproduce k16 --jobs 2000000000, '--jobs: expected at most 256, got 2,000,000,000'",
    "reproduce table1 --seeds 200000, '--seeds: expected at most 1,000, got 200,000'",
    "sweep ../sweeps/mog-smoke.yaml --jobs 300, '--jobs: expected at most 256, got 300'",
  })
  void whatNoMemorySufficesForIsRefused(String words, String message) {
    var cli = Cli.run((Object[]) words.split(" "));
    assertThat(cli.err()).isEqualTo("cifvi: " + message + System.lineSeparator());
    assertThat(cli.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "--steps, 1e12, 'expected a whole number, got 1e12'",
    "--samples, 3000000000, 'expected a whole number up to 2147483647, got 3000000000'",
    "--samples, many, 'expected a whole number, got many'",
    "--tail-bound, wide, 'expected a number, got wide'",
  })
  void whatIsNoNumberIsSaidInPlainWords(String option, String value, String message) {
    var cli = Cli.run("mog", option, value);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("cifvi: " + option + ": " + message).doesNotContain("long");
  }

  @Test
  void aRunWithoutAFiniteResultFails() {
    Path run = folder.resolve("run");
    var cli =
        Cli.run(
            "mog",
            "--model",
            "nsf",
            "--learning-rate",
            "1e30",
            "--clip",
            "1e30",
            "--steps",
            "3",
            "--samples",
            "10",
            "--out",
            run);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .contains("ELBO of the trained posterior is not finite", "--learning-rate")
        .hasLineCount(1);
    assertThat(run.resolve("result.json")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mog",
        "fit --target banana",
        "demo",
        "bench",
        "verify x.json",
        "reproduce k16",
      })
  void everyCommandThatComputesKnowsDevices(String command) {
    assumeFalse(Torch.hasCuda());
    var cli = Cli.run((Object[]) (command + " --device cuda").split(" ", -1));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .startsWith("cifvi: --device: cuda is not available: ")
        .endsWith(", or use the device cpu" + System.lineSeparator())
        .hasLineCount(1);
  }

  @Test
  void lessExactProductsAreForGpus() {
    assertThat(Cli.run("mog", "--tf32").err())
        .isEqualTo(
            "cifvi: --tf32: is for --device cuda, got --device cpu" + System.lineSeparator());
  }

  @Test
  void anUnknownOptionSuggestsTheNearest() {
    var cli = Cli.run("mog", "--stpes", "3");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("--stpes", "--steps", "cifvi mog --help");
  }

  @Test
  void aFolderThatCannotBeUsedIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThat(Cli.run("mog", "--out", file).err()).contains("is a file, not a folder");
    assertThat(Cli.run("mog", "--out", folder).err()).contains("is not empty", "cifvi resume");
    assertThat(Cli.run("resume", folder).err()).contains("is not a run directory");
    assertThat(Cli.run("evaluate", folder).exitCode()).isEqualTo(2);
  }

  @Test
  void modelsAreListedAsPlainNumbers() {
    var cli = Cli.run("models", "--json");
    var rows = JsonMapper.shared().readTree(cli.out());
    assertThat(cli.exitCode()).isZero();
    assertThat(rows.size()).isEqualTo(35);
    assertThat(rows.get(2).get("name").asString()).isEqualTo("nsf-affine");
    assertThat(rows.get(1).get("name").asString()).isEqualTo("cif-nsf");
    assertThat(rows.get(1).get("parameters").asLong()).isEqualTo(31_680);
    assertThat(rows.get(0).propertyNames())
        .containsExactly(
            "name", "kind", "decoder", "latent", "parameters", "posterior", "target", "layers");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 'WHAT: expected table1 or table5 or'",
    "figure9, Did you mean",
    "k16 --jobs 0, '--jobs: expected at least 1, got 0'",
    "k16 --seeds 0, '--seeds: expected at least 1, got 0'",
    "table6 --seeds 0, '--seeds: expected at least 1, got 0'",
    "k16 --budget 2, '--budget: expected a number above 0 and up to 1, got 2.0'",
    "table1 --models vea, '--models: expected vae or iwae'",
    "table1 --data cifar, '--data: expected mnist or fashion-mnist, got cifar'",
    "table1 --seeds one, '--seeds: expected a number from 1 on or a list such as 1,2,3, got one'",
    "table1 --budget 0, '--budget: expected a number above 0 and up to 1, got 0.0'",
  })
  void reproduceSaysWhatItTakes(String arguments, String message) {
    var cli = Cli.run((Object[]) ("reproduce " + arguments).strip().split(" ", -1));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains(message);
  }

  @Test
  void verifyFailsOnAFileThatDiffers() throws IOException {
    Path good = Path.of("../experiments/src/test/resources/golden/lu_layer_d5.json.gz");
    assertThat(Cli.run("verify", good).exitCode()).isZero();
    assertThat(Cli.run("verify", good).out()).matches("OK +lu_layer_d5 +\\S+ +\\S+ +8\\s+");
    Path bad = folder.resolve("bad.json");
    try (var in = new GZIPInputStream(Files.newInputStream(good))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String loss = text.replaceFirst("(?s).*\"loss\": ?(-?[0-9.e-]+).*", "$1");
      Files.writeString(bad, text.replace(loss, Double.toString(Double.parseDouble(loss) + 1e-6)));
    }
    var cli = Cli.run("verify", good, bad);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out().lines().toList().get(1)).startsWith("FAIL").contains("loss differs");
  }

  @Test
  void benchTimesWhatTheGlobMatches() {
    var cli = Cli.run("bench", "--case", "mog-nsf", "--seconds", "0.1", "--json");
    var rows = JsonMapper.shared().readTree(cli.out());
    boolean wide = FloatVector.SPECIES_PREFERRED.vectorBitSize() >= 256; // or there is no fused
    assertThat(rows.valueStream().map(row -> row.get("engine").asString()))
        .containsExactlyElementsOf(wide ? List.of("eager", "fused") : List.of("eager"));
    assertThat(rows.get(0).get("case").asString()).isEqualTo("mog-nsf");
    assertThat(rows.get(0).get("ms_median").asDouble()).isPositive();
    assertThat(Cli.run("bench", "--case", "nothing-*").exitCode()).isEqualTo(2);
  }
}
