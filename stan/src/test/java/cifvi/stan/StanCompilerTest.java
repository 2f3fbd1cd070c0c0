package cifvi.stan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a model is compiled, with a folder that looks like BridgeStan's. */
class StanCompilerTest {
  /** Counts how often it is run, and refuses what says so. */
  private static final String MAKEFILE =
      """
      %_model.so: %.stan
      \t@echo run >> runs
      \t@if grep -q wrong $<; then echo "--- Translating"; echo "Semantic error in '$<', line 1"; exit 1; fi
      \t@cp $< $@
      """;

  @TempDir Path folder;
  private Path bridgestan;
  private Path model;

  @BeforeEach
  void make() throws IOException, InterruptedException {
    assumeTrue(makes(), "make is not on the path");
    bridgestan = Files.createDirectories(folder.resolve("bridgestan"));
    Files.writeString(bridgestan.resolve("Makefile"), MAKEFILE);
    version(5);
    model = Files.writeString(folder.resolve("m.stan"), "#include part.stan\nparameters {}\n");
    Files.writeString(folder.resolve("part.stan"), "functions {}\n");
  }

  private static boolean makes() throws InterruptedException {
    try {
      return new ProcessBuilder("make", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException _) {
      return false;
    }
  }

  private void version(int minor) throws IOException {
    Files.createDirectories(bridgestan.resolve("src"));
    Files.writeString(
        bridgestan.resolve("src/version.hpp"),
        "#define BRIDGESTAN_MAJOR 2\n#define BRIDGESTAN_MINOR %d\n#define BRIDGESTAN_PATCH 0\n"
            .formatted(minor));
  }

  private int runs() throws IOException {
    return Files.readAllLines(bridgestan.resolve("runs")).size();
  }

  @Test
  void aLibraryIsKeptWhileNothingChanged() throws IOException {
    var compiler = new StanCompiler(bridgestan);
    Path library = compiler.compile(model);
    assertThat(library).isEqualTo(folder.resolve("m_model.so")).hasSameTextualContentAs(model);
    assertThat(compiler.compile(model)).isEqualTo(library);
    assertThat(StanCompiler.compiled(model)).isEqualTo(library);
    assertThat(runs()).isEqualTo(1);

    Files.writeString(folder.resolve("part.stan"), "functions { real f(); }\n");
    compiler.compile(model);
    assertThat(runs()).isEqualTo(2);

    Files.writeString(library, "another library");
    compiler.compile(model);
    assertThat(runs()).isEqualTo(3);

    version(6);
    assertThat(StanCompiler.compiled(model)).isEqualTo(library);
    compiler.compile(model);
    assertThat(runs()).isEqualTo(4);
  }

  @Test
  void whatCannotBeCompiledIsToldInTheCompilersWords() throws IOException {
    Files.writeString(model, "wrong\n");
    assertThatThrownBy(() -> new StanCompiler(bridgestan).compile(model))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("m_model.so cannot be compiled")
        .hasMessageContaining("Semantic error in '")
        .message()
        .doesNotContain("Translating");
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    assertThatThrownBy(() -> StanCompiler.compiled(model))
        .hasMessageContaining("has to be compiled")
        .hasMessageContaining("$BRIDGESTAN");
    assertThatThrownBy(() -> new StanCompiler(folder)).hasMessageContaining("no BridgeStan folder");
    var compiler = new StanCompiler(bridgestan);
    assertThatThrownBy(() -> compiler.compile(folder.resolve("none.stan")))
        .hasMessageContaining("there is no model");
    Path blank = Files.writeString(folder.resolve("a b.stan"), "");
    assertThatThrownBy(() -> compiler.compile(blank)).hasMessageContaining("no names with blanks");
  }
}
