package cifvi.engine.internal.fused;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which models are worth it, and what the log says libtorch does of them. */
@ExtendWith(NativeScope.class)
class CoverageTest {
  private static final Objective ELBO = new Objective.Elbo();

  private static Model model(Flow flow, boolean cif, int channels) {
    return new ImageShape(flow, cif, 3, 1, 7, channels).build(Backend.cpu(Precision.FLOAT32));
  }

  @Test
  void flowsAndIndicesAreWorthIt() {
    try (Model nsf = model(Flow.SPLINE, false, 4);
        Model maf = model(Flow.AFFINE_AND_BATCH_NORM, false, 4);
        Model cif = model(Flow.AFFINE, true, 3)) {
      for (Model model : List.of(nsf, maf)) {
        assertThat(Coverage.ofModel(model, ELBO)).isEmpty();
        assertThat(Coverage.reason(model, ELBO)).isEqualTo("hand-written kernels cover the model");
      }
      assertThat(Coverage.ofModel(cif, ELBO)).isEmpty();
      assertThat(Coverage.reason(cif, ELBO))
          .isEqualTo("hand-written kernels; libtorch for r, BernoulliImageModel");
    }
  }

  @Test
  void vectorsMustBeWideEnough() {
    assertThat(Coverage.ofVectors(512)).isEmpty();
    assertThat(Coverage.ofVectors(256)).isEmpty();
    assertThat(Coverage.ofVectors(128))
        .contains("vectors of this processor have 128 bits, 256 are needed");
  }

  @Test
  void soIsAVae() {
    var shape = new ImageShape(Flow.SPLINE, false, 3, 0, 7, 4);
    try (Model vae = shape.build(Backend.cpu(Precision.FLOAT32))) {
      assertThat(Coverage.ofModel(vae, new Objective.Iwae(5))).isEmpty();
      assertThat(Coverage.reason(vae, ELBO)).isEqualTo("hand-written kernels cover the model");
    }
  }

  @Test
  void anEncoderAloneIsNot() {
    var shape = new ImageShape(Flow.SPLINE, false, 3, 0, 7, 3);
    try (Model vae = shape.build(Backend.cpu(Precision.FLOAT32))) {
      assertThat(Coverage.ofModel(vae, ELBO)).contains("no layer has a kernel that is faster");
    }
  }
}
