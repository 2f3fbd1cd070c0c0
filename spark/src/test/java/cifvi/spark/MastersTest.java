package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is given for a master is checked before Spark is asked. */
class MastersTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "spark", "spark://", "spark://host", "http://host:1", "lokal[2]"})
  void whatIsNoMasterIsRefused(String url) {
    assertThatThrownBy(() -> new Masters(url))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("expected local[N], spark://HOST:PORT, yarn or k8s://");
  }

  @Test
  void theDriverOfALocalClusterIsSeenFromThisMachineOnly() {
    assertThat(new Masters("local[2]").isOnThisMachine()).isTrue();
    assertThat(new Masters("spark://127.0.0.1:7077").isOnThisMachine()).isTrue();
    assertThat(new Masters("spark://192.0.2.1:7077").isOnThisMachine()).isFalse();
    assertThat(new Masters("yarn").isOnThisMachine()).isFalse();
  }

  @Test
  void aMasterThatNeedsMoreThanWeHaveIsRefused() {
    assertThatThrownBy(() -> new Masters("k8s://https://127.0.0.1:1").requireReachable())
        .hasMessageContaining("set SPARK_HOME");
  }
}
