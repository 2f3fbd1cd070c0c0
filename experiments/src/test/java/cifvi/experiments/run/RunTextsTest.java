package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.experiments.paper.ImageRun;
import cifvi.posterior.Placement;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever stands in the files of a run is read, or refused naming the file and the key. */
class RunTextsTest {
  private static final MogSpec SPEC =
      MogSpec.paper(MogSpec.Flow.NSF, Placement.PAPER, 9, Sigma0.parse("1"), 10, 1);
  private static final MogResult RESULT =
      new MogResult(
          "mog",
          "nsf",
          1,
          10,
          5,
          "eager",
          "cpu",
          1,
          1,
          9,
          Sigma0.parse("1"),
          3,
          "paper",
          0,
          -0.5,
          0.1,
          -0.4,
          -0.3,
          -0.3,
          0.1,
          10,
          10,
          0,
          0.1,
          9,
          0,
          8);

  @TempDir private Path folder;

  private RunDirectory run(String spec, String result) throws IOException {
    Files.writeString(folder.resolve("spec.yaml"), spec);
    Files.writeString(folder.resolve("result.json"), result);
    return RunDirectory.read(folder);
  }

  static Stream<String> keysOfResult() {
    return RESULT.json().lines().filter(line -> line.contains(":")).map(l -> l.split("\"", -1)[1]);
  }

  @Test
  void theWholeResultComesBack() throws IOException {
    assertThat(keysOfResult()).hasSize(27);
    assertThat(MogResult.read(run(SPEC.yaml(), RESULT.json()))).isEqualTo(RESULT);
  }

  @ParameterizedTest
  @MethodSource("keysOfResult")
  void aMissingValueIsMissing(String key) throws IOException {
    String without =
        RESULT
            .json()
            .lines()
            .filter(line -> !line.contains("\"" + key + "\""))
            .reduce("", (a, b) -> a + b + "\n")
            .replace(",\n}", "\n}");
    assertRefused(
        () -> MogResult.read(run(SPEC.yaml(), without)), "result.json", key + " is missing");
    String empty =
        RESULT.json().replaceFirst("\"" + key + "\" : [^,\n]*", "\"" + key + "\" : null");
    assertRefused(
        () -> MogResult.read(run(SPEC.yaml(), empty)), "result.json", key + " has no value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "[]", "", "3", "\"", "{\"elbo\" : ", "\u0000"})
  void aResultThatIsNoneIsRefused(String text) throws IOException {
    assertRefused(() -> MogResult.read(run(SPEC.yaml(), text)), "result.json");
    assertRefused(() -> ImagesResult.read(run(SPEC.yaml(), text)), "result.json");
  }

  @ParameterizedTest
  @CsvSource({"elbo, ''", "elbo, e400", "seed, ''", "components, ''", "outer, ''"})
  void aNumberOfFourHundredDigitsIsRefused(String key, String end) throws IOException {
    String number = "9".repeat(400) + end;
    String text =
        RESULT.json().replaceFirst("\"" + key + "\" : [^,]*", "\"" + key + "\" : " + number);
    assertRefused(() -> MogResult.read(run(SPEC.yaml(), text)), "result.json", key);
  }

  @ParameterizedTest
  @CsvSource({
    "sigma0, null",
    "sigma0, {}",
    "sigma0, -1",
    "engine, null",
    "engine, warp",
    "lr_schedule, ''",
    "lr_schedule, up",
    "threads, 0",
    "threads, many",
    "threads, 99999999999999999999",
    "steps, []",
    "tf32, true",
    "kind, null",
    "model, 7",
    "model, 1",
    "steps, 3.7",
    "steps, ''",
    "tf32, 0",
  })
  void anOddSettingIsRefusedWithFileAndKey(String key, String value) throws IOException {
    String spec = SPEC.yaml().replaceFirst("(?m)^" + key + ":.*$", key + ": " + value);
    assertRefused(() -> MogSpec.read(run(spec, "{}")), "spec.yaml", key);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-5, 0.1, 3, 1e21})
  void everyRateComesBack(double rate) throws IOException {
    String spec = SPEC.yaml().replaceFirst("learning_rate: .*", "learning_rate: " + rate);
    MogSpec read = MogSpec.read(run(spec, "{}"));
    assertThat(read.learningRate()).isEqualTo(rate);
    assertThat(MogSpec.parse(read.yaml())).isEqualTo(read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"",
        "null",
        "[]",
        "- a",
        "kind",
        ": :",
        "{",
        "\t",
        "\u0007",
        "&a *a",
        "%",
        "---\n---\n"
      })
  void aSpecThatIsNoneIsRefused(String spec) throws IOException {
    assertRefused(() -> MogSpec.read(run(spec, "{}")), "spec.yaml");
    assertRefused(() -> run(spec, "{}").kind(), "spec.yaml");
    assertRefused(() -> RunDirectory.holds(run(spec, "{}").path(), SPEC), "spec.yaml");
  }

  /** Of a superuser nothing is kept; the next test holds for one, too. */
  @Test
  void aFolderThatCannotBeReadIsNamed() throws IOException {
    Path runs = Files.createDirectory(folder.resolve("runs"));
    Path locked = Files.createDirectory(runs.resolve("locked"));
    Files.writeString(locked.resolve("spec.yaml"), "kind: images");
    Files.setPosixFilePermissions(locked, Set.of());
    assumeThat(Files.isReadable(locked)).as("a superuser reads everything").isFalse();
    try {
      String message = locked + ": cannot be read: permission denied";
      assertThatThrownBy(() -> ImageRun.scan(runs)).hasMessage(message);
      assertThatThrownBy(() -> RunDirectory.read(locked))
          .isInstanceOf(UserException.class)
          .hasMessage(message);
    } finally {
      Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void aFolderThatIsNoneIsNamed() throws IOException {
    Path runs = folder.resolve("runs");
    assertThatThrownBy(() -> ImageRun.scan(runs))
        .isInstanceOf(UserException.class)
        .hasMessage(runs + ": cannot be read: no such file");
    Path odd = runs.resolve("odd");
    Files.createDirectories(odd.resolve("spec.yaml"));
    assertThatThrownBy(() -> ImageRun.scan(runs))
        .isInstanceOf(UserException.class)
        .hasMessage(odd + " is not a run directory: it has no spec.yaml");
    Path file = Files.createFile(runs.resolve("file"));
    assertThatThrownBy(() -> RunDirectory.read(file))
        .hasMessage(file + " is not a run directory: it has no spec.yaml");
    Files.createSymbolicLink(
        Files.createDirectory(runs.resolve("loop")).resolve("spec.yaml"), Path.of("spec.yaml"));
    assertThatThrownBy(() -> RunDirectory.read(runs.resolve("loop")))
        .hasMessage(runs.resolve("loop") + " is not a run directory: it has no spec.yaml");
  }

  /** Known before it is read: memory would not suffice. */
  @Test
  void aTextLargerThanAnyOfOursIsRefused() throws IOException {
    var run = run(SPEC.yaml(), "{}");
    try (var file = new RandomAccessFile(run.file("result.json").toFile(), "rw")) {
      file.setLength(3_000_000_000L); // takes no room on the disk
    }
    assertThatThrownBy(run::result)
        .isInstanceOf(UserException.class)
        .hasMessage(
            run.file("result.json")
                + ": cannot be read: has 3,000,000,000 bytes, expected at most 16,777,216");
  }

  private interface Reading {
    Object read() throws IOException;
  }

  private void assertRefused(Reading reading, String file, String... words) throws IOException {
    Throwable thrown = catchThrowable(reading::read);
    assertThat(thrown)
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith(folder.resolve(file) + ": ");
    assertThat(thrown.getMessage()).doesNotContain("\n", "cifvi.experiments");
    assertThat(Arrays.asList(words))
        .allMatch(word -> String.valueOf(thrown.getMessage()).contains(word));
  }
}
