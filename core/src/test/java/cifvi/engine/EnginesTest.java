package cifvi.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which engine is chosen, and what the log says about it. */
@ExtendWith(NativeScope.class)
class EnginesTest {
  private static final Objective ELBO = new Objective.Elbo();

  private static Model model(Precision precision) {
    return Posteriors.cif(new Kind(Flow.NSF, Placement.PAPER, false, precision), 1);
  }

  @Test
  void eagerServesWhatKernelsCannotAndSaysWhy() {
    try (Model model = model(Precision.FLOAT64)) {
      assertThat(Engines.choose("auto", model, ELBO))
          .hasToString(
              "eager (libtorch autograd: fused kernels are float32, the model is float64)");
    }
  }

  @Test
  void theLogSaysWhatLibtorchDoes() {
    try (Model model = model(Precision.FLOAT32)) {
      int bits = FloatVector.SPECIES_PREFERRED.vectorBitSize();
      if (bits < 256) {
        assertThat(Engines.choose("auto", model, ELBO))
            .hasToString(
                "eager (libtorch autograd: vectors of this processor have "
                    + bits
                    + " bits, 256 are needed)");
        return;
      }
      assertThat(Engines.choose("auto", model, ELBO))
          .hasToString("fused (hand-written kernels cover the model)");
      Model other = Posteriors.with((_, z) -> z.sum(1), model);
      assertThat(Engines.choose("auto", other, ELBO))
          .hasToString("fused (hand-written kernels; libtorch for function)");
    }
  }

  @Test
  void anImpossibleRequestIsRefused() {
    try (Model model = model(Precision.FLOAT64)) {
      assertThatThrownBy(() -> Engines.choose("fused", model, ELBO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("float64")
          .hasMessageContaining("use eager");
      assertThatThrownBy(() -> Engines.choose("graph", model, ELBO))
          .hasMessage(
              "engine: graph cannot run this: it needs a CUDA device, the model is on cpu;"
                  + " use auto, or a model on a CUDA device");
      assertThatThrownBy(() -> Engines.choose("warp", model, ELBO))
          .hasMessage("engine: expected auto, eager, fused or graph, got warp");
      assertThat(Engines.choose("eager", model, ELBO).kind()).isEqualTo(Engines.Kind.EAGER);
    }
  }
}
