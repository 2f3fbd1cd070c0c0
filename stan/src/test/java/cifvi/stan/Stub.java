package cifvi.stan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Compiles {@code stub.c}; tests are left out where there is no C compiler. */
final class Stub {
  private Stub() {}

  static Path build(Path library, String... flags) throws IOException, InterruptedException {
    assumeTrue(compiles(), "no C compiler: cc is not on the path");
    Path source = Files.createTempFile(library.toAbsolutePath().getParent(), "stub", ".c");
    try (InputStream in = Stub.class.getResourceAsStream("stub.c")) {
      Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
    }
    var words = new ArrayList<>(List.of("cc", "-O1", "-Wall", "-shared", "-fPIC"));
    words.addAll(List.of(flags));
    words.addAll(List.of("-o", library.toString(), source.toString(), "-lm"));
    Process cc = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(cc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(cc.waitFor()).as(said).isZero();
    Files.delete(source);
    return library;
  }

  private static boolean compiles() throws InterruptedException {
    try {
      return new ProcessBuilder("cc", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException _) {
      return false;
    }
  }
}
