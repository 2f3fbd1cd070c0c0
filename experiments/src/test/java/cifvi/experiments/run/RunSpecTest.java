package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.posterior.Placement;
import org.junit.jupiter.api.Test;

/** Settings of runs, older ones and those that move to another device. */
class RunSpecTest {
  private static final MogSpec SPEC =
      MogSpec.paper(MogSpec.Flow.NSF, Placement.PAPER, 9, Sigma0.parse("1"), 10, 1);

  @Test
  void settingsOfOlderRunsAreRead() {
    String yaml = SPEC.yaml();
    assertThat(yaml).contains("tf32: false\n");
    assertThat(MogSpec.parse(yaml.replace("tf32: false\n", ""))).isEqualTo(SPEC);
  }

  @Test
  void anotherDeviceChoosesItsEngine() {
    MogSpec trained = MogSpec.parse(SPEC.yaml().replace("engine: auto", "engine: fused"));
    assertThat(RunSpec.onDevice(trained, null, MogSpec.class)).isSameAs(trained);
    assertThat(trained.on("cpu")).isSameAs(trained);
    MogSpec moved = trained.on("cuda:1");
    assertThat(moved.device()).isEqualTo("cuda:1");
    assertThat(moved.engine()).isEqualTo("auto");
    assertThat(moved.on("cpu")).isEqualTo(SPEC);
  }

  @Test
  void lessExactProductsDoNotMoveToTheCpu() {
    MogSpec cuda = MogSpec.parse(SPEC.on("cuda").yaml().replace("tf32: false", "tf32: true"));
    assertThat(cuda.on("cpu").tf32()).isFalse();
    assertThatThrownBy(() -> MogSpec.parse(SPEC.yaml().replace("tf32: false", "tf32: true")))
        .isInstanceOf(UserException.class)
        .hasMessage("spec.yaml: tf32: is for --device cuda, got --device cpu");
  }
}
