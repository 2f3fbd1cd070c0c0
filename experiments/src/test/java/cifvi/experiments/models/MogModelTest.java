package cifvi.experiments.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import cifvi.distribution.Observation;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;

class MogModelTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);

  @Test
  void anOuterAffineMapStartsAsTheIdentityAndCanBeTrained() {
    try (var _ = new PointerScope();
        var plain = flow(false);
        var affine = flow(true)) {
      assertThat(affine.parameters().count()).isEqualTo(plain.parameters().count() + 6);
      assertThat(draw(affine)).containsExactly(draw(plain), offset(1e-12));
    }
  }

  private static Model flow(boolean outerAffine) {
    return new MogModel(
            false, 16, 1, true, 3, Placement.PAPER, outerAffine, false, MogModel.R.NORMAL)
        .build(BACKEND, 1);
  }

  private static double[] draw(Model model) {
    var rng = new CounterRng(BACKEND, 3, Purpose.TRAIN);
    return Backend.doubles(model.posterior().sample(new Observation.None(20), rng).delta());
  }
}
