package cifvi.experiments.paper;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.models.ImageModel;
import cifvi.vi.Objective;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of the image tables under names that say what was run. */
class MethodTest {
  @Test
  void theLabelOfIwaeHasItsNumberOfSamples() {
    List<ImageModel> found =
        Arrays.stream(ImageModel.values())
            .filter(model -> Method.released(model).label().startsWith("IWAE"))
            .toList();
    assertThat(found).containsExactly(ImageModel.IWAE, ImageModel.IWAE_10, ImageModel.IWAE_20);
    assertThat(found)
        .extracting(ImageModel::objective)
        .containsExactly(new Objective.Iwae(5), new Objective.Iwae(10), new Objective.Iwae(20));
    assertThat(found)
        .extracting(model -> Method.released(model).label())
        .containsExactly("IWAE (K = 5)", "IWAE (K = 10)", "IWAE (K = 20)");
  }
}
