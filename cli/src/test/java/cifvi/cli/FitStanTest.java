package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** {@code cifvi fit --stan}, with a library that misbehaves on request. */
class FitStanTest {
  private static final List<Object> SMALL =
      List.of("--family", "mean-field", "--steps", "50", "--samples", "32", "--draws", "50");

  @TempDir static Path folder;
  private static Path library;

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    library = build(folder.resolve("libstub_model.so"));
  }

  /** Without threads: it ends the process as soon as two are inside. */
  private static Path build(Path library, String... flags)
      throws IOException, InterruptedException {
    Path source = folder.resolve("stub.c");
    try (InputStream in = FitStanTest.class.getResourceAsStream("/cifvi/stan/stub.c")) {
      Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
    }
    var words = new ArrayList<>(List.of("cc", "-O1", "-shared", "-fPIC"));
    words.addAll(List.of(flags));
    words.addAll(List.of("-o", library.toString(), source.toString(), "-lm"));
    try {
      Process cc = new ProcessBuilder(words).redirectErrorStream(true).start();
      String said = new String(cc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(cc.waitFor()).as(said).isZero();
    } catch (IOException e) {
      abort("no C compiler: " + e.getMessage());
    }
    return library;
  }

  private static Cli fit(int mode, Path run, Object... more) throws IOException {
    Path data = Files.writeString(folder.resolve("mode%d.json".formatted(mode)), mode(mode));
    var all = new ArrayList<Object>(List.of("fit", "--stan", library, "--data", data));
    all.addAll(List.of("--out", run, "--threads", "8"));
    all.addAll(SMALL);
    all.addAll(List.of(more));
    return Cli.run(all.toArray());
  }

  private static String mode(int mode) {
    return "{\"mode\": %d}".formatted(mode);
  }

  @Test
  void aModelIsFittedDrawnFromAndReported() throws IOException {
    Path run = folder.resolve("run");
    Cli cli = fit(0, run, "--generated");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("stub: mean-field in 3 dimensions", "tau", "sum", "g.2.2");
    assertThat(Files.readAllLines(run.resolve("draws.csv")))
        .contains("lp__,log_p__,log_g__,x.1,x.2,tau,sum,u,g.1.1,g.2.1,g.1.2,g.2.2");
    assertThat(Files.readString(run.resolve("spec.yaml")))
        .contains("stan: " + library, "data: " + folder, "generated: true");

    Path again = folder.resolve("again.csv");
    Cli sample = Cli.run("sample", run, "-n", "50", "--out", again);
    assertThat(sample.exitCode()).as(sample.err()).isZero();
    assertThat(again).hasSameTextualContentAs(run.resolve("draws.csv"));
    for (String format : List.of("npz", "zarr")) {
      Path file = folder.resolve("draws." + format);
      assertThat(Cli.run("sample", run, "--out", file).exitCode()).isZero();
    }
    assertThat(folder.resolve("draws.zarr/posterior/g/.zarray"))
        .content()
        .contains("[1, 4000, 2, 2]");
    assertThat(Cli.run("report", run).exitCode()).isZero();
    assertThat(Cli.run("resume", run).out()).isEqualTo(cli.out());
  }

  @Test
  void dataThatHaveChangedAreNoticed() throws IOException {
    Path run = folder.resolve("changed");
    assertThat(fit(3, run).exitCode()).isZero();
    Files.writeString(folder.resolve("mode3.json"), mode(6));
    Files.delete(run.resolve("result.json"));
    Cli cli = Cli.run("resume", run);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("is of a fit of another density: Stan model stub_model");
    Files.delete(folder.resolve("mode3.json"));
    assertThat(Cli.run("resume", run).err()).contains("data: there is no file");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 'stub: x[1] is too large at z = '",
    "2, 'log p = NaN at z = '",
    "6, 'log p = -Infinity at z = '",
    "5, 'draws lack numbers, which are NaN; first: param_constrain() failed'",
  })
  void whatStanRefusesIsNoted(int mode, String words) throws IOException {
    Path run = folder.resolve("mode" + mode);
    Cli cli = fit(mode, run, "--generated");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    var result = JsonMapper.shared().readTree(Files.readString(run.resolve("result.json")));
    assertThat(result.path("notes").toString()).contains(words);
    assertThat(result.path("summary").size()).isEqualTo(mode == 5 ? 4 : 9);
    assertThat(Cli.run("report", run).exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "4, 'does not take', 'stub: refused in transformed data'",
    "9, 'no answer at any of 64 points', 'stub: never'",
    "10, 'the model has no parameters', 'nothing to fit'",
  })
  void whatCannotBeFittedIsToldInStansWords(int mode, String what, String why) throws IOException {
    Cli cli = fit(mode, folder.resolve("refused" + mode));
    assertThat(cli.exitCode()).as(cli.err()).isEqualTo(2);
    assertThat(cli.err()).contains(what, why).doesNotContain("\tat ");
  }
}
