package cifvi.experiments.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.tensor.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is read of a safetensors file is written and read again to the same bytes. */
final class SafetensorsReading {
  private SafetensorsReading() {}

  static void read(Path file) throws IOException, RefusedException {
    Safetensors.Content content;
    try {
      content = Safetensors.read(file);
    } catch (IOException e) {
      throw new RefusedException(e);
    }
    Path again = file.resolveSibling("again.safetensors");
    Safetensors.write(again, content.tensors(), content.metadata());
    byte[] first = Files.readAllBytes(again);
    Safetensors.Content second = Safetensors.read(again);
    assertThat(Safetensors.checksum(second.tensors(), second.metadata()))
        .isEqualTo(Safetensors.checksum(content.tensors(), content.metadata()));
    Safetensors.write(again, second.tensors(), second.metadata());
    assertThat(Files.readAllBytes(again)).isEqualTo(first);
  }
}
