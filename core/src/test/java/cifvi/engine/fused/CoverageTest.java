package cifvi.engine.fused;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.fused.ImageShape.Flow;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which models are worth it, and what the log says libtorch does of them. */
@ExtendWith(NativeScope.class)
class CoverageTest {
  private static Model model(Flow flow, boolean cif, int channels) {
    return new ImageShape(flow, cif, 3, 1, 7, channels).build(Backend.cpu(Precision.FLOAT32));
  }

  @Test
  void splinesAndIndicesAreWorthIt() {
    try (Model nsf = model(Flow.SPLINE, false, 4);
        Model cif = model(Flow.AFFINE, true, 3)) {
      assertThat(Coverage.obstacle(nsf, new Objective.Elbo())).isEmpty();
      assertThat(Coverage.reason(nsf))
          .isEqualTo("hand-written kernels; libtorch for BernoulliImageModel");
      assertThat(Coverage.obstacle(cif, new Objective.Elbo())).isEmpty();
      assertThat(Coverage.reason(cif)).contains("AffineAutoregressive, r, BernoulliImageModel");
    }
  }

  @Test
  void segmentsAloneAreNot() {
    try (Model maf = model(Flow.AFFINE_AND_BATCH_NORM, false, 4)) {
      assertThat(Coverage.obstacle(maf, new Objective.Elbo()))
          .contains("no layer has a kernel that is faster");
    }
  }
}
