package cifvi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's example is a program that compiles and works, to the letter: the banana is
 * normalised, so its best bound is 0.
 */
class ReadmeExampleTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern PRINTED =
      Pattern.compile("1000 draws, ELBO (-?[\\d.]+) to (-?[\\d.]+)\\s*");

  @TempDir private Path folder;

  @Test
  void fitsABanana() throws Exception {
    var printed = PRINTED.matcher(run());
    assertThat(printed.matches()).isTrue();
    double lower = Double.parseDouble(printed.group(1));
    assertThat(lower).isBetween(-0.2, 0.05);
    assertThat(Double.parseDouble(printed.group(2))).isGreaterThanOrEqualTo(lower);
  }

  private String run() throws Exception {
    compile();
    var bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
      loader
          .loadClass("Banana")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void compile() throws IOException {
    var example = EXAMPLE.matcher(Files.readString(Path.of("../README.md")));
    assertThat(example.find()).as("a program in the README").isTrue();
    Path source = Files.writeString(folder.resolve("Banana.java"), example.group(1));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                folder.toString(),
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());
    assertThat(failed).isZero();
  }
}
