package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing in a checkpoint can change unnoticed. */
class CheckpointFileTest {
  private static final Backend CPU = Backend.cpu(Precision.FLOAT32);
  private static final Map<String, String> METADATA =
      Map.of("step", "11", "adam_updates", "11", "spec", "abc");

  @TempDir private Path folder;

  private static Map<String, Tensor> tensors() {
    return Map.of(
        "w", CPU.tensor(new double[] {1, -2, 3, 4, 5, 6}, 2, 3),
        "order", CPU.longs(new long[] {1, 0}, 2));
  }

  @Test
  void everySingleBitCounts() throws IOException {
    Path file = folder.resolve("c.safetensors");
    CheckpointFile.write(file, tensors(), METADATA);
    assertThat(CheckpointFile.read(file).metadata()).containsAllEntriesOf(METADATA);
    byte[] good = Files.readAllBytes(file);
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, bad);
      try (var _ = new PointerScope()) {
        assertThatThrownBy(() -> CheckpointFile.read(file))
            .as("bit %d", bit)
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith(file.toString());
      }
    }
  }

  @Test
  void equalStatesGiveEqualBytes() throws IOException {
    CheckpointFile.write(folder.resolve("a"), tensors(), METADATA);
    CheckpointFile.write(folder.resolve("b"), tensors(), new TreeMap<>(METADATA));
    assertThat(folder.resolve("b")).hasSameBinaryContentAs(folder.resolve("a"));
  }

  @Test
  void filesOfTheFirstFormatAreStillRead() throws IOException {
    Path file = folder.resolve("old.safetensors");
    var metadata = new TreeMap<>(METADATA);
    metadata.put("format", "cifvi-checkpoint-1");
    metadata.put("crc32c", Long.toString(Safetensors.checksum(tensors())));
    Safetensors.write(file, tensors(), metadata);
    assertThat(CheckpointFile.read(file).isOfFirstFormat()).isTrue();
    metadata.put("format", "cifvi-checkpoint-3");
    Safetensors.write(file, tensors(), metadata);
    assertThatThrownBy(() -> CheckpointFile.read(file)).hasMessageContaining("cifvi-checkpoint-3");
  }
}
