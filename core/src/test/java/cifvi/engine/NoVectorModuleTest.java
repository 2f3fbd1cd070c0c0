package cifvi.engine;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.tensor.Precision;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** In a JVM without {@code --add-modules jdk.incubator.vector} everything works but the kernels. */
class NoVectorModuleTest {
  /** What the other JVM runs. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      var elbo = new Objective.Elbo();
      var kind = new Kind(Flow.NSF, Placement.PAPER, false, Precision.FLOAT32);
      try (var model = Posteriors.cif(kind, 1)) {
        var choice = Engines.choose("auto", model, elbo);
        System.out.println(choice);
        try (var engine =
            Engines.start(
                choice.kind(), model, elbo, new StepOptions(OptionalDouble.empty(), 1, 1))) {
          System.out.println("applied " + engine.step(0, 1e-3, Observation.none(10)).applied());
        }
        try {
          Engines.choose("fused", model, elbo);
        } catch (IllegalArgumentException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  @Test
  void eagerRunsAndFusedIsRefusedWithTheRemedy() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String why = "fused kernels need a JVM with --add-modules jdk.incubator.vector";
    assertThat(out.lines().filter(line -> !line.startsWith("Picked up "))) // JAVA_TOOL_OPTIONS
        .containsExactly(
            "eager (libtorch autograd: " + why + ")",
            "applied true",
            "engine: fused cannot run this: " + why + "; use eager");
  }
}
