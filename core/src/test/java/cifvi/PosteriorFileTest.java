package cifvi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A posterior in a file is the posterior that was saved. */
class PosteriorFileTest {
  private static final LogDensity DENSITY =
      LogDensity.of(
          ParameterSpace.of(Parameter.positive("tau"), Parameter.real("theta").vector(2)),
          (x, gradient) -> {
            double tau = x.scalar("tau");
            double a = x.of("theta").get(0);
            double b = x.of("theta").get(1);
            gradient.of("tau").set(-1);
            gradient.of("theta").set(0, -a);
            gradient.of("theta").set(1, -b);
            return -tau - 0.5 * (a * a + b * b);
          });

  @TempDir Path folder;

  private Path saved(Family family) throws IOException {
    Path file = folder.resolve(family + ".cifvi");
    try (var posterior = Cifvi.fitting(DENSITY).family(family).steps(30).samples(64).run()) {
      posterior.save(file);
      try (var loaded = FittedPosterior.load(file, DENSITY)) {
        assertThat(loaded.report()).isEqualTo(posterior.report());
        Draws before = posterior.draws(100, 7);
        Draws after = loaded.draws(100, 7);
        assertThat(after.names()).isEqualTo(before.names()).startsWith("tau", "theta.1");
        for (int i = 0; i < 100; i++) {
          assertThat(after.draw(i)).isEqualTo(before.draw(i));
          assertThat(after.logP(i)).isEqualTo(before.logP(i));
          assertThat(after.logG(i)).isEqualTo(before.logG(i));
        }
      }
    }
    return file;
  }

  @Test
  void drawsAreTheSameInAnotherProcess() throws Exception {
    Path file = saved(Family.CIF_NSF);
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String there = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    try (var loaded = FittedPosterior.load(file)) {
      assertThat(there.strip()).isEqualTo(Arrays.toString(loaded.draws(3, 5).draw(2)));
    }
  }

  /** What the other process runs. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws IOException {
      try (var loaded = FittedPosterior.load(Path.of(args[0]))) {
        System.out.println(Arrays.toString(loaded.draws(3, 5).draw(2)));
      }
    }
  }

  @Test
  void withoutTheDensityOnlyLogPIsUnknown() throws IOException {
    try (var loaded = FittedPosterior.load(saved(Family.MEAN_FIELD))) {
      assertThat(loaded.draws(3).logP(0)).isNaN();
      assertThat(loaded.draws(3).logG(0)).isFinite();
      assertThat(loaded.parameters().names()).containsExactly("tau", "theta.1", "theta.2");
    }
  }

  @Test
  void aDamagedFileIsRefused() throws IOException {
    Path file = saved(Family.FULL_RANK);
    byte[] bytes = Files.readAllBytes(file);
    for (int at : new int[] {0, 9, 300, bytes.length / 2, bytes.length - 1}) {
      byte[] other = bytes.clone();
      other[at] ^= 1;
      Files.write(file, other);
      assertThatThrownBy(() -> FittedPosterior.load(file))
          .as("byte %d", at)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(file.toString());
    }
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 5));
    assertThatThrownBy(() -> FittedPosterior.load(file)).hasMessageContaining("cut off");
  }

  @Test
  void anotherDensityIsRefused() throws IOException {
    Path file = saved(Family.MEAN_FIELD);
    assertThatThrownBy(() -> FittedPosterior.load(file, LogDensity.of(2, (_, _) -> 0)))
        .hasMessageContaining("the density has 2 dimensions, not 3");
  }
}
