package cifvi.engine.internal.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same bits in a JVM that interprets and in one that has compiled every kernel. */
@ExtendWith(NativeScope.class)
class BitsTest {
  /** As many calls as it takes the compiler to be done with a method. */
  private static final int CALLS = 20_000;

  @Test
  void coldAndHotGiveTheSameBits() throws IOException, InterruptedException {
    var narrow = Coverage.ofVectors(FloatVector.SPECIES_PREFERRED.vectorBitSize());
    assumeTrue(narrow.isEmpty(), () -> narrow.orElse("") + ", or a kernel takes seconds");
    heat();
    assertThat(Bits.all()).isEqualTo(interpreted());
  }

  /** Calls every kernel often, on few rows. */
  private static void heat() {
    var backend = Backend.cpu(Precision.FLOAT32);
    var rng = new CounterRng(backend, 2, Purpose.MARGINAL);
    for (Case shape : Bits.SHAPES) {
      try (Model model = shape.build(backend);
          var engine =
              new FusedEngine(
                  model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 1, 1));
          var weights = new FusedLogWeights(model, 1)) {
        var x = shape.x(backend, 24);
        var few = shape.x(backend, 8);
        double[] z = weights.draw(x, 1, rng).z();
        for (int i = 0; i < CALLS / Bits.SHAPES.size(); i++) {
          engine.step(i, 1e-4, i % 2 == 0 ? x : few);
          weights.backward(z, x, 1, rng);
        }
      }
    }
  }

  private static String interpreted() throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xint",
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-cp",
                System.getProperty("java.class.path"),
                Bits.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return out.strip().lines().reduce((_, last) -> last).orElse("");
  }
}
