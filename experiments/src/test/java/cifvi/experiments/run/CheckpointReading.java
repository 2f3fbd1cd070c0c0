package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.fuzz.RefusedException;
import cifvi.tensor.Safetensors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A checkpoint that is accepted is the one that was written: a file that differs from a good one in
 * a single byte is refused, or says the same. Counters are checked behind a checksum that fits,
 * too.
 */
public final class CheckpointReading {
  private static final byte[] GOOD = seed("format-2");

  private CheckpointReading() {}

  private static byte[] seed(String name) {
    String path = "/fuzz/checkpoint/accepted/" + name;
    try (InputStream in = CheckpointReading.class.getResourceAsStream(path)) {
      return Objects.requireNonNull(in, path).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void read(Path file) throws IOException, RefusedException {
    byte[] bytes = Files.readAllBytes(file);
    Path again = file.resolveSibling("again.safetensors");
    readSealed(file, again);
    CheckpointFile found;
    try {
      found = CheckpointFile.read(file);
    } catch (IOException e) {
      throw new RefusedException(e);
    }
    CheckpointFile.write(again, found.tensors(), found.metadata());
    requireSame(found, CheckpointFile.read(again));
    if (differences(bytes, GOOD) == 1) {
      Files.write(again, GOOD);
      requireSame(CheckpointFile.read(again), found);
    }
  }

  /** With a checksum made to fit, what stands in the file is what has to be borne. */
  private static void readSealed(Path file, Path again) throws IOException {
    Safetensors.Content content;
    try {
      content = Safetensors.read(file);
    } catch (IOException _) {
      return; // refused with the reason later
    }
    CheckpointFile.write(again, content.tensors(), content.metadata());
    CheckpointFile sealed = CheckpointFile.read(again);
    SequencedSet<String> tensors =
        content.tensors().keySet().stream()
            .filter(name -> !name.startsWith("adam."))
            .collect(Collectors.toCollection(TreeSet::new));
    for (boolean validated : new boolean[] {false, true}) {
      try {
        var counters = Counters.parse(sealed.metadata(), tensors, validated);
        assertThat(counters.adamUpdates()).isBetween(0L, counters.step());
        assertThat(Counters.parse(counters.metadata(), tensors, validated)).isEqualTo(counters);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageStartingWith("metadata ");
      }
    }
  }

  private static void requireSame(CheckpointFile expected, CheckpointFile found) {
    assertThat(Safetensors.checksum(found.tensors(), counters(found)))
        .isEqualTo(Safetensors.checksum(expected.tensors(), counters(expected)));
  }

  private static SortedMap<String, String> counters(CheckpointFile file) {
    var counters = new TreeMap<>(file.metadata());
    counters.keySet().removeAll(List.of("format", "crc32c"));
    return counters;
  }

  private static int differences(byte[] a, byte[] b) {
    int differences = a.length == b.length ? 0 : Integer.MAX_VALUE;
    for (int i = 0; i < Math.min(a.length, b.length) && differences < 2; i++) {
      differences += a[i] == b[i] ? 0 : 1;
    }
    return differences;
  }
}
