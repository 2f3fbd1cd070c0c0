package cifvi.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every example runs, in fewer steps than people would take, and is no longer than a page. */
class ExamplesTest {
  private static final Path SOURCES = Path.of("src/main/java/cifvi/examples");

  @TempDir private Path folder;

  @Test
  void ownDensityIsNotFooledByTheOutlier() throws Exception {
    Path file = folder.resolve("centre.safetensors");
    String said = said(() -> OwnDensity.main(new String[] {file.toString(), "200"}));
    assertThat(number(said, "mu ([\\d.]+)")).isBetween(4.8, 5.2);
    assertThat(file).isNotEmptyFile();
  }

  @Test
  void ownTargetStaysBelowItsEvidence() throws Exception {
    String said = said(() -> OwnTarget.main(new String[] {"300"}));
    assertThat(number(said, "ELBO (-?[\\d.]+)")).isBetween(1.0, 2.7);
  }

  /** The file was made with slopes of 1.5 and -1. */
  @Test
  void csvRegressionFindsTheSlopes() throws Exception {
    String said = said(() -> CsvRegression.main(new String[] {"failures.csv", "100"}));
    assertThat(number(said, "load (-?[\\d.]+)")).isBetween(0.7, 2.5);
    assertThat(number(said, "service (-?[\\d.]+)")).isBetween(-2.0, -0.2);
  }

  @Test
  void bananaIsThatOfTheReadme() throws Exception {
    String readme = Files.readString(Path.of("../README.md")).replaceAll("\\s", "");
    String banana = Files.readString(SOURCES.resolve("Banana.java")).replaceAll("\\s", "");
    int from = banana.indexOf("varposterior");
    assertThat(readme).contains(banana.substring(from, banana.length() - 2));
    assertThat(said(() -> Banana.main(new String[0]))).contains("family=");
  }

  @Test
  void everyExampleFitsOnAPage() throws IOException {
    try (var files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(60);
      }
    }
  }

  /** What a program prints. */
  static String said(Program program) throws Exception {
    var bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  static double number(String said, String pattern) {
    var found = Pattern.compile(pattern).matcher(said);
    assertThat(found.find()).as("%s in %s", pattern, said).isTrue();
    return Double.parseDouble(found.group(1));
  }

  /** A main method. */
  @FunctionalInterface
  interface Program {
    void run() throws Exception;
  }
}
