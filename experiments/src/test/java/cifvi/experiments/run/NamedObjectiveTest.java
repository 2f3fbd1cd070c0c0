package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.vi.Objective;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamedObjectiveTest {
  @Test
  void namesAreReadAndWritten() {
    for (String name : List.of("elbo", "path", "iwae:5", "dreg:1", "iwhvi:0", "iwhvi:10000", "r")) {
      assertThat(NamedObjective.parse(name)).hasToString(name);
    }
    assertThat(NamedObjective.parse("dreg:7").objective()).isEqualTo(new Objective.Dreg(7));
    assertThat(NamedObjective.parse("iwae:7").warmedUp(20L))
        .isEqualTo(new Objective.WarmUp(new Objective.Iwae(7), 20));
  }

  @Test
  void othersAreRefused() {
    for (String name :
        List.of(
            "", "iwae", "iwae:", "iwae:0", "dreg:-1", "elbo:2", "iwhvi:10001", "r:1", "vimco:5")) {
      assertThatThrownBy(() -> NamedObjective.parse(name))
          .isInstanceOf(UserException.class)
          .hasMessageStartingWith("--objective: expected elbo, path, iwae:K, dreg:K or iwhvi:M")
          .hasMessageEndingWith("got " + name);
    }
  }

  /** Fits had a gradient before they had an objective. */
  @Test
  void olderSettingsAreUnderstood() {
    assertThat(RunSpec.tree("f", "kind: fit\ngradient: path\n").path("objective").asString())
        .isEqualTo("path");
    assertThat(RunSpec.tree("f", "kind: fit\ngradient: total\n").path("objective").asString())
        .isEqualTo("elbo");
    assertThat(RunSpec.tree("f", "kind: mog\n").path("objective").asString()).isEqualTo("elbo");
    assertThat(RunSpec.tree("f", "kind: mog\n").path("r").asString()).isEqualTo("normal");
    assertThat(RunSpec.tree("f", "kind: images\n").path("objective").isNull()).isTrue();
  }
}
