package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import cifvi.tensor.Torch;
import java.nio.file.Path;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The doctor says what is there and never stumbles over what is not. */
class DoctorCommandTest {
  @TempDir Path folder;

  @Test
  void aWorkingMachineIsFine() {
    var cli = Cli.run("doctor", "--data-dir", folder);
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .contains("java", "libtorch", "engine on cpu")
        .doesNotContain("broken")
        .contains("note    mnist")
        .contains("-> cifvi data fetch mnist --data-dir " + folder);
  }

  @Test
  void scriptsGetJson() {
    JsonNode findings = JsonMapper.builder().build().readTree(Cli.run("doctor", "--json").out());
    assertThat(findings.isArray()).isTrue();
    assertThat(findings.get(0).propertyNames())
        .containsExactly("topic", "level", "found", "remedy");
    JsonNode libtorch =
        StreamSupport.stream(findings.spliterator(), false)
            .filter(finding -> finding.get("topic").asString().equals("libtorch"))
            .findFirst()
            .orElseThrow();
    assertThat(libtorch.get("level").asString()).isEqualTo("ok");
    assertThat(libtorch.get("found").asString()).startsWith("2.");
  }

  @Test
  void aMissingGpuIsNoDefect() {
    assumeFalse(Torch.hasCuda());
    assertThat(Cli.run("doctor").out()).doesNotContain("engine on cuda");
  }
}
