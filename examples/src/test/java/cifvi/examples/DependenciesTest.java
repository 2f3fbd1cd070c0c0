package cifvi.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines for a {@code pom.xml} name what this project itself is built with. */
class DependenciesTest {
  private static final String TRIED = "linux-x86_64";

  @ParameterizedTest
  @ValueSource(strings = {"macosx-arm64", "macosx-x86_64", "windows-x86_64"})
  void everyPlatformHasTheLinesOfTheOneThatIsTried(String platform) throws IOException {
    assertThat(snippet(platform)).isEqualTo(snippet(TRIED).replace(TRIED, platform));
  }

  @Test
  void forGpusOneLineIsAdded() throws IOException {
    String added = "(?m)^.*" + TRIED + "-gpu</classifier></dependency>\n";
    assertThat(snippet(TRIED + " with a GPU").replaceFirst(added, "")).isEqualTo(snippet(TRIED));
  }

  @Test
  void versionsAreOurs() throws IOException {
    String pom = Files.readString(Path.of("../pom.xml"));
    for (String library : new String[] {"pytorch", "openblas", "javacpp"}) {
      var version =
          Pattern.compile("<%1$s.version>(.*)</%1$s.version>".formatted(library)).matcher(pom);
      assertThat(version.find()).isTrue();
      assertThat(snippet(TRIED))
          .contains("<artifactId>%s</artifactId><version>%s<".formatted(library, version.group(1)));
    }
    var ours = Pattern.compile("<artifactId>cifvi</artifactId>\\s*<version>(.*)</").matcher(pom);
    assertThat(ours.find()).isTrue();
    assertThat(snippet(TRIED)).contains("cifvi-core</artifactId><version>" + ours.group(1) + "<");
  }

  private static String snippet(String heading) throws IOException {
    String page = Files.readString(Path.of("../docs/dependencies.md"));
    var block =
        Pattern.compile("(?s)## " + Pattern.quote(heading) + "\n.*?```xml\n(.*?)```").matcher(page);
    assertThat(block.find()).as(heading).isTrue();
    return block.group(1);
  }
}
