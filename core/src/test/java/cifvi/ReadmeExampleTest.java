package cifvi;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example is a program that compiles and works, to the letter. */
class ReadmeExampleTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  @TempDir private Path folder;

  /** The banana is 2π times a density, and z2 = z1² + e has mean 1 and standard deviation √3. */
  @Test
  void fitsABanana() throws Exception {
    String said = PagesTest.run(folder, "Banana", example());
    double logZ = Math.log(2 * Math.PI);
    assertThat(PagesTest.number(said, "elbo=(-?[\\d.]+)")).isBetween(logZ - 0.1, logZ + 0.02);
    assertThat(PagesTest.number(said, "logEvidence=(-?[\\d.]+)"))
        .isBetween(logZ - 0.05, logZ + 0.05);
    assertThat(PagesTest.number(said, "mean (-?[\\d.]+)")).isBetween(0.7, 1.3);
    boolean wide = Engines.vectorBits().orElse(0) >= 256; // narrower vectors are no kernels' home
    assertThat(said).contains("engine=" + (wide ? "fused" : "eager"));
  }

  @Test
  void hasAtMostFiveStatements() throws IOException {
    String body = example().substring(example().indexOf('{'));
    assertThat(body.chars().filter(c -> c == ';').count()).isLessThanOrEqualTo(5);
  }

  private static String example() throws IOException {
    var example = EXAMPLE.matcher(Files.readString(Path.of("../README.md")));
    assertThat(example.find()).as("a program in the README").isTrue();
    return example.group(1);
  }
}
