package cifvi.experiments.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.experiments.files.Texts;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run says which sources and which processor it was made with. */
class ProvenanceTest {
  @TempDir Path folder;

  @Test
  void namesWhatDecidesOnTheLastDigits() {
    JsonNode json = Texts.JSON.readTree(Provenance.of("eager", "cpu", 1, 7).json());
    assertThat(json.path("commit").asString()).matches("[0-9a-f]{40,64}|unknown");
    assertThat(json.path("changed_since").asString()).matches("yes|no|unknown");
    assertThat(json.path("cpu").asString()).isEqualTo(Processor.model()).isNotBlank();
    assertThat(json.path("vectors").asString())
        .matches("(\\d+ bits|none), libtorch (DEFAULT|NO AVX|AVX2|AVX512\\S*|\\S+)");
  }

  @Test
  void theProcessorIsCalledByItsName() {
    var lines = Stream.of("processor\t: 0", "model\t\t: 17", "model name\t: Some  CPU @ 2GHz ");
    assertThat(Processor.model(lines)).isEqualTo("Some CPU @ 2GHz");
    assertThat(Processor.model(Stream.of("processor: 0", "model name\t: "))).isEqualTo("unknown");
  }

  @Test
  void anArchiveOfSourcesIsBuiltFromWhatNobodyKnows() throws Exception {
    assertThat(builtFrom(folder)).containsExactly("commit=unknown", "changed_since=unknown");
  }

  @Test
  void aRepositoryTellsItsCommitAndWhetherSourcesWereChanged() throws Exception {
    assumeTrue(Stream.of(System.getenv("PATH").split(":")).anyMatch(ProvenanceTest::hasGit));
    Path root = Files.createDirectory(folder.resolve("root"));
    Path source = root.resolve("core/src/main/A.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "class A {}");
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "-c", "user.name=me", "-c", "user.email=me@here.example", "commit", "-qm", "First");
    String head = git(root, "rev-parse", "HEAD");
    Files.writeString(root.resolve("notes.txt"), "none of the program's sources");
    assertThat(builtFrom(root)).containsExactly("commit=" + head, "changed_since=no");
    Files.writeString(source, "class A { int b; }");
    assertThat(builtFrom(root)).containsExactly("commit=" + head, "changed_since=yes");
    Path inside = Files.createDirectory(root.resolve("unpacked"));
    assertThat(builtFrom(inside)).containsExactly("commit=unknown", "changed_since=unknown");
  }

  private static boolean hasGit(String folder) {
    return Files.isExecutable(Path.of(folder, "git"));
  }

  private List<String> builtFrom(Path root) throws Exception {
    Path file = folder.resolve("classes/build.properties");
    run(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        Path.of("../scripts/BuiltFrom.java").toAbsolutePath().normalize().toString(),
        root.toString(),
        file.toString());
    return Files.readAllLines(file);
  }

  private static String git(Path root, String... words) throws Exception {
    var command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(words));
    return run(command.toArray(String[]::new)).strip();
  }

  private static String run(String... command) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    return said;
  }
}
