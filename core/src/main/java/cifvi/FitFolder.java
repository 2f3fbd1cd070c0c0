package cifvi;

import cifvi.tensor.Safetensors;
import cifvi.vi.TrainingState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bytedeco.pytorch.Tensor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a fit keeps of itself, so that it goes on with the same bits after it was stopped: a file
 * for every stage that is done, and {@code latest} and {@code previous} of the one in training.
 *
 * <p>A fit asks for its stages in an order that follows from its settings and from the stages
 * before: on the second run it is given those that are done instead of training them. A file that
 * is damaged costs the time to train its stage again, and changes no bit.
 */
final class FitFolder {
  private static final Logger log = LoggerFactory.getLogger(FitFolder.class);
  private static final String FORMAT = "cifvi fit 1";
  private static final String CHECKSUM = "crc32c";

  /** What comes before the identity of the density, at the end of the settings. */
  static final String DENSITY = ", density ";

  private static final String LATEST = "latest.safetensors";
  private static final String PREVIOUS = "previous.safetensors";

  private final Path folder;
  private final String settings;

  /**
   * @param settings of the fit whose stages these are
   */
  FitFolder(Path folder, String settings) {
    this.folder = folder;
    this.settings = settings;
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + ": cannot be made", e);
    }
  }

  /** A stage that is done. */
  Optional<Safetensors.Content> done(int stage) {
    return read(file(stage), stage);
  }

  /** A stage in training, as far as it was saved. */
  Optional<Safetensors.Content> begun(int stage) {
    return read(folder.resolve(LATEST), stage).or(() -> read(folder.resolve(PREVIOUS), stage));
  }

  void saveDone(int stage, Map<String, Tensor> tensors, Map<String, String> numbers) {
    write(file(stage), stage, tensors, numbers);
  }

  void saveBegun(int stage, TrainingState state, Map<String, String> numbers) {
    var all = new TreeMap<>(numbers);
    all.putAll(state.counters());
    Path fresh = folder.resolve("next.safetensors");
    write(fresh, stage, state.tensors(), all);
    try {
      if (Files.exists(folder.resolve(LATEST))) {
        move(folder.resolve(LATEST), folder.resolve(PREVIOUS));
      }
      move(fresh, folder.resolve(LATEST));
    } catch (IOException e) {
      throw new UncheckedIOException(folder + ": the state of the fit cannot be saved", e);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private Path file(int stage) {
    return folder.resolve("stage-%d.safetensors".formatted(stage));
  }

  private void write(
      Path file, int stage, Map<String, Tensor> tensors, Map<String, String> numbers) {
    var all = new TreeMap<>(numbers);
    all.put("format", FORMAT);
    all.put("settings", settings);
    all.put("stage", Integer.toString(stage));
    all.put(CHECKSUM, Long.toString(Safetensors.checksum(tensors, all)));
    try {
      Safetensors.write(file, tensors, all);
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": the state of the fit cannot be saved", e);
    }
  }

  private Optional<Safetensors.Content> read(Path file, int stage) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      Safetensors.Content content = Safetensors.read(file);
      SortedMap<String, String> numbers = new TreeMap<>(content.metadata());
      String checksum = numbers.remove(CHECKSUM);
      if (!Long.toString(Safetensors.checksum(content.tensors(), numbers)).equals(checksum)) {
        throw new IOException(file + ": damaged: its checksum does not fit");
      }
      requireSettings(file, Report.text(numbers, "settings"));
      return Report.text(numbers, "stage").equals(Integer.toString(stage))
          ? Optional.of(new Safetensors.Content(content.tensors(), numbers))
          : Optional.empty();
    } catch (IOException e) {
      log.warn("{}; its steps are trained again", e.getMessage());
      return Optional.empty();
    }
  }

  private void requireSettings(Path file, String found) {
    if (!found.equals(settings)) {
      int density = settings.indexOf(DENSITY);
      if (density >= 0 && found.startsWith(settings.substring(0, density) + DENSITY)) {
        int from = density + DENSITY.length();
        throw new IllegalArgumentException(
            "%s is of a fit of another density: %s, not %s; use another folder, or that density"
                .formatted(file, found.substring(from), settings.substring(from)));
      }
      throw new IllegalArgumentException(
          "%s is of a fit with other settings: %s, not %s; use another folder, or those settings"
              .formatted(file, found, settings));
    }
  }
}
