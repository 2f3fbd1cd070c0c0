package cifvi.experiments.scoreboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.experiments.scoreboard.StanFolder.StanPosterior;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StanFolderTest {
  @TempDir Path folder;

  private void file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, text);
  }

  @Test
  void findsWhatBelongsToAModel() throws IOException {
    file("lib/libschools_model.so", "");
    file("stan/schools.stan", "");
    file("data/eight.json", "{}");
    file(
        "reference/schools.json",
        """
        {"data": "eight.json", "log_z": {"value": -32.5},
         "parameters": {"mu": {"mean": 4.5, "sd": 3}}}""");
    file("other_model.so", "");
    var posteriors = new StanFolder(folder).posteriors();
    assertThat(posteriors).extracting(StanPosterior::name).containsExactly("other", "schools");
    StanPosterior schools = posteriors.getLast();
    assertThat(schools.data().orElseThrow()).endsWithRaw(Path.of("eight.json"));
    assertThat(schools.source()).isPresent();
    assertThat(schools.known().orElseThrow().logZ()).hasValue(-32.5);
    assertThat(schools.known().orElseThrow().moments("mu").sd()).isEqualTo(3);
    StanPosterior other = posteriors.getFirst();
    assertThat(other.data()).isEmpty();
    assertThat(other.known()).isEmpty();
  }

  @Test
  void aFolderWithoutModelsIsRefused() {
    assertThatThrownBy(() -> new StanFolder(folder).posteriors())
        .isInstanceOf(UserException.class)
        .hasMessageContaining("BridgeStan");
    assertThatThrownBy(() -> new StanFolder(folder.resolve("none")).posteriors())
        .isInstanceOf(UserException.class)
        .hasMessageContaining("there is no such folder");
  }
}
