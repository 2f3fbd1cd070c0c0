package cifvi.experiments.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inputs that are kept: seeds of the fuzzer, and every file that once was a defect. They lie in
 * {@code fuzz/READER/accepted} or {@code refused}, by what has to become of them.
 */
class ReaderTest {
  private static final int MUTANTS = 100;

  @TempDir private Path folder;

  static List<Arguments> inputs() throws IOException {
    var inputs = new ArrayList<Arguments>();
    for (Reader reader : Reader.values()) {
      for (boolean accepted : new boolean[] {true, false}) {
        files(reader, accepted).forEach(f -> inputs.add(Arguments.of(reader, accepted, f)));
      }
    }
    return inputs;
  }

  private static List<Path> files(Reader reader, boolean accepted) throws IOException {
    String name = "/fuzz/" + reader + (accepted ? "/accepted" : "/refused");
    try (Stream<Path> files =
        Files.list(
            Path.of(Objects.requireNonNull(ReaderTest.class.getResource(name), name).toURI()))) {
      return files.sorted().toList();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void anInputThatWasKeptIsAcceptedOrRefused(Reader reader, boolean accepted, Path input)
      throws IOException {
    assertThat(reader.accepts(Files.readAllBytes(input), folder)).isEqualTo(accepted);
  }

  /** A little of what the fuzzer does, the same in every build. */
  @ParameterizedTest
  @EnumSource
  void changedSeedsLeadToNoDefect(Reader reader) throws IOException {
    var random = new Random(7);
    List<Path> seeds = files(reader, true);
    for (int i = 0; i < MUTANTS; i++) {
      byte[] bytes = Files.readAllBytes(seeds.get(random.nextInt(seeds.size())));
      for (int change = random.nextInt(1, 4); change > 0 && bytes.length > 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      boolean cut = random.nextInt(8) == 0;
      reader.accepts(cut ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes, folder);
    }
  }
}
