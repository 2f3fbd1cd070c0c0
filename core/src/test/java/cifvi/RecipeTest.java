package cifvi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The recipe for adding a layer, of docs/engines.md, is true to the letter. */
class RecipeTest {
  private static final String LAYER = "sinharcsinh";

  /** Each file of this module that knows the layer it was written after, but for its own. */
  @Test
  void everyFileThatALayerTouchesIsNamed() throws IOException {
    String page = Files.readString(Path.of("../docs/engines.md"));
    String recipe = page.substring(page.indexOf("## Adding a layer"));
    var touched = new ArrayList<String>();
    try (var files = Files.walk(Path.of("src"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        String text = Files.readString(file).toLowerCase(Locale.ROOT).replaceAll("[_-]", "");
        if (text.contains(LAYER) && !name.toLowerCase(Locale.ROOT).startsWith(LAYER)) {
          touched.add(name);
        }
      }
    }
    touched.remove("RecipeTest");
    assertThat(touched)
        .contains("Lowering", "OpKind", "Mutant")
        .allSatisfy(name -> assertThat(recipe).contains(name));
  }
}
