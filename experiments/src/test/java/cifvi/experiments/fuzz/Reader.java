package cifvi.experiments.fuzz;

import cifvi.experiments.data.IdxReading;
import cifvi.experiments.golden.GoldenReading;
import cifvi.experiments.run.CheckpointReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.bytedeco.javacpp.PointerScope;

/**
 * Every reader of files. Whatever the bytes, it accepts them, and what was read holds its promises,
 * or refuses them in a way that commands turn into a line with file and reason. All else is a
 * defect.
 */
@SuppressWarnings("ImmutableEnumChecker") // the readings are static methods
public enum Reader {
  SAFETENSORS("weights.safetensors", SafetensorsReading::read),
  CHECKPOINT("latest.safetensors", CheckpointReading::read),
  IDX("train-images-idx3-ubyte", IdxReading::read),
  SPEC("spec.yaml", SpecReading::read),
  SWEEP("sweep.yaml", SweepReading::read),
  LOG("log.csv", LogReading::read),
  RESULT("result.json", ResultReading::read),
  GOLDEN("golden.json", GoldenReading::read);

  /** Reads a file and checks what it has read. */
  @FunctionalInterface
  interface Reading {
    void read(Path file) throws IOException, RefusedException;
  }

  private final String file;
  private final Reading reading;

  Reader(String file, Reading reading) {
    this.file = file;
    this.reading = reading;
  }

  /**
   * Reads a file with this content.
   *
   * @param folder for the file, which is replaced
   * @return whether it was accepted
   * @throws AssertionError or whatever else a defect leads to
   */
  public boolean accepts(byte[] content, Path folder) throws IOException {
    Path path = folder.resolve(file);
    Files.write(path, content);
    try (var _ = new PointerScope()) {
      reading.read(path);
      return true;
    } catch (RefusedException e) {
      requireFileAndReason(path, e.words());
      return false;
    }
  }

  private static void requireFileAndReason(Path path, String words) {
    String name = path.getFileName().toString();
    int at = words.indexOf(name);
    if (at < 0 || words.length() < at + name.length() + ": why".length()) {
      throw new AssertionError("refused without file and reason: " + words);
    }
  }

  /** The name on the command line and in the folders of inputs. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
