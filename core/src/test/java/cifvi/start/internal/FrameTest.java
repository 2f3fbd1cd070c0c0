package cifvi.start.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** z = c + F v and back. */
class FrameTest {
  @Test
  void theInverseTakesZToV() {
    var random = new SplittableRandom(1);
    double[] shift = random.doubles(3).toArray();
    double[] matrix = {0, 2, 1, 3, 0.5, 0, 1, 0, 0.25}; // needs pivots
    Frame frame = Frame.around(new double[] {1, 2, 3}, 2).then(shift, matrix, 0.3);
    double[] v = {0.3, -4, 2};
    double[] z = frame.toZ(v, 0);
    assertThat(frame.inverse().toZ(z, 0)).containsExactly(v, within(1e-12));
    assertThat(frame.inverse().logDet()).isEqualTo(-frame.logDet());
  }
}
