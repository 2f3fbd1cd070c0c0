package cifvi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the tutorial and of the how-to page work, to the letter. */
class PagesTest {
  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");

  @TempDir private Path folder;

  @Test
  void theTutorialDrawsARing() throws Exception {
    String said = run("Ring", blocks("tutorial.md").getFirst());
    assertThat(said).contains("family=cif-nsf");
    // log ∫ p is 2.652; three seeds with one and two threads came to bounds from 2.51 to 2.61.
    assertThat(number(said, "logEvidence=(-?[\\d.]+)")).isBetween(2.60, 2.70);
    assertThat(number(said, "elbo=(-?[\\d.]+)")).isBetween(2.3, 2.70);
    assertThat(number(said, "([\\d.]+) of 2000 draws count")).isBetween(0.4, 1.0);
    assertThat(Files.readAllLines(folder.resolve("ring.csv")))
        .hasSizeGreaterThan(2000)
        .contains("lp__,log_p__,log_g__,z.1,z.2");
    assertThat(Files.readString(folder.resolve("ring.svg")))
        .contains("<circle")
        .endsWith("</svg>\n");
  }

  /** The first block is the beginning of a class, each of the others the body of a method. */
  @Test
  void everyRecipeRuns() throws Exception {
    List<String> blocks = blocks("how-to.md");
    var imports = blocks.getFirst().lines().filter(line -> line.startsWith("import "));
    var members = blocks.getFirst().lines().filter(line -> !line.startsWith("import "));
    var program = new StringBuilder(imports.collect(Collectors.joining("\n")));
    program.append("\npublic class Recipes {\n").append(members.collect(Collectors.joining("\n")));
    var calls = new StringBuilder();
    for (int i = 1; i < blocks.size(); i++) {
      String method = "recipe" + i + "()";
      program.append("\nstatic void " + method + " throws Exception {\n" + blocks.get(i) + "}\n");
      calls.append(method).append(";\n");
    }
    program.append("public static void main(String[] args) throws Exception {\n");
    String said = run("Recipes", program.append(calls).append("}\n}\n").toString());
    assertThat(number(said, "sigma: ([\\d.]+) ")).isBetween(0.8, 2.5);
    assertThat(number(said, "log Z: ([\\d.]+)")).isBetween(2.7, 2.8); // 3/2 log 2π
    assertThat(said).contains("eager (libtorch autograd)");
    assertThat(number(said, "mean: ([\\d.]+)")).isBetween(0.5, 1.5);
  }

  static double number(String said, String pattern) {
    var found = Pattern.compile(pattern).matcher(said);
    assertThat(found.find()).as("%s in %s", pattern, said).isTrue();
    return Double.parseDouble(found.group(1));
  }

  private static List<String> blocks(String page) throws IOException {
    String text = Files.readString(Path.of("..", "docs", page));
    return BLOCK.matcher(text).results().map(block -> block.group(1)).toList();
  }

  private String run(String name, String program) throws IOException, InterruptedException {
    return run(folder, name, program);
  }

  /** What a program says that is started as the tutorial starts one. */
  static String run(Path folder, String name, String program)
      throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve(name + ".java"), program);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                source.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
