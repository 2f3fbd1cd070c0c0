package cifvi.experiments.run;

import cifvi.nn.Parameters;
import cifvi.vi.Adam;
import cifvi.vi.Trainer;
import cifvi.vi.WeightAverage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run in {@code checkpoints/}: one file with parameters, buffers, the optimiser's
 * moments and, as metadata, the counters. Equal runs give byte-equal files. The new file is
 * complete under a temporary name before {@code latest} becomes {@code previous} and it becomes
 * {@code latest}: at every moment one good file exists.
 */
public final class Checkpoints {
  private static final String LATEST = "latest.safetensors";
  private static final String PREVIOUS = "previous.safetensors";
  private static final String BEST = "best.safetensors";

  private final Path folder;
  private final String specHash;

  private Checkpoints(Path folder, String specHash) {
    this.folder = folder;
    this.specHash = specHash;
  }

  /** Those of a run, which belong to its {@code spec.yaml} and to no other. */
  public static Checkpoints of(RunDirectory directory) {
    try {
      byte[] spec = directory.read("spec.yaml").getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(spec);
      return new Checkpoints(directory.file("checkpoints"), HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What is saved: a model in training.
   *
   * @param average null where the weights are not averaged
   * @param stopping null where the run has no validation
   */
  public record State(
      Parameters parameters,
      Adam adam,
      Trainer trainer,
      @Nullable WeightAverage average,
      @Nullable EarlyStopping stopping) {}

  public void save(State state) {
    try {
      Path fresh = write(state);
      Path latest = folder.resolve(LATEST);
      if (Files.exists(latest)) {
        replace(latest, folder.resolve(PREVIOUS));
      }
      replace(fresh, latest);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Keeps the state as the one with the best validation value so far. */
  public void saveBest(State state) {
    try {
      replace(write(state), folder.resolve(BEST));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private static void replace(Path file, Path by) throws IOException {
    Files.move(file, by, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private UserException unwritable(IOException e) {
    return new UserException(
        folder
            + ": the checkpoint cannot be written: "
            + RunDirectory.reason(e)
            + "; the last good one is kept",
        e);
  }

  /** The state under a temporary name. */
  private Path write(State state) throws IOException {
    var metadata = new TreeMap<>(Counters.of(state).metadata());
    metadata.put("spec", specHash);
    try (var _ = new PointerScope()) {
      Path fresh = folder.resolve("next.safetensors");
      CheckpointFile.write(fresh, tensors(state), metadata);
      return fresh;
    }
  }

  /**
   * Fills the state from the newest good checkpoint.
   *
   * @param report told why a file was refused
   * @return whether there was one; a run that has none yet starts at step 0
   */
  public boolean restore(State state, Consumer<String> report) {
    for (String name : new String[] {LATEST, PREVIOUS}) {
      Path file = folder.resolve(name);
      if (Files.exists(file)) {
        try (var _ = new PointerScope()) {
          restore(state, CheckpointFile.read(file));
          return true;
        } catch (IOException | IllegalArgumentException e) {
          report.accept("checkpoint refused: " + message(file, e));
        }
      }
    }
    return false;
  }

  /**
   * Loads only the parameters to be evaluated: those of the best epoch in a run with validation,
   * else the last; their average where there is one.
   */
  public void restoreParameters(Parameters parameters, Consumer<String> report) {
    boolean validated = Files.exists(folder.resolve(BEST));
    for (String name : validated ? new String[] {BEST} : new String[] {LATEST, PREVIOUS}) {
      Path file = folder.resolve(name);
      try (var _ = new PointerScope()) {
        var content = CheckpointFile.read(file);
        requireOurs(content);
        var state = new HashMap<String, Tensor>();
        parameters.state().keySet().forEach(key -> take(content, key, state));
        parameters.load(state);
        return;
      } catch (IOException | IllegalArgumentException e) {
        report.accept("checkpoint refused: " + message(file, e));
      }
    }
    throw new UserException(
        folder + ": there is no good checkpoint to load: train the run first with cifvi resume");
  }

  private static void take(CheckpointFile content, String key, Map<String, Tensor> state) {
    Tensor value = content.tensors().getOrDefault("ema." + key, content.tensors().get(key));
    if (value != null) {
      state.put(key, value);
    }
  }

  private static String message(Path file, Exception e) {
    String message = e.getMessage();
    return message != null && message.startsWith(file.toString()) ? message : file + ": " + message;
  }

  /** Reads and checks everything before it changes anything: refused is untouched. */
  private void restore(State state, CheckpointFile content) {
    requireOurs(content);
    var flat = state.parameters.flat();
    var counters =
        Counters.parse(content.metadata(), flat.slices().sequencedKeySet(), state.stopping != null);
    Map<String, Tensor> own = tensors(state);
    requireSame(own, content.tensors());
    flat.update(() -> own.forEach((name, tensor) -> tensor.copy_(content.tensors().get(name))));
    state.adam.resume(counters.adamUpdates(), counters.adamStarts());
    state.trainer.resume(counters.step(), counters.skipped(), counters.skippedInARow());
    if (state.stopping != null && counters.stopping() != null) {
      state.stopping.resume(counters.stopping());
    }
  }

  private void requireOurs(CheckpointFile content) {
    if (!specHash.equals(content.metadata().get("spec"))) {
      throw new IllegalArgumentException("belongs to a run with another spec.yaml");
    }
  }

  /** Names, shapes and types must be those of the model. */
  private static void requireSame(Map<String, Tensor> own, Map<String, Tensor> given) {
    var names = new TreeSet<>(own.keySet());
    names.addAll(given.keySet());
    for (String name : names) {
      Tensor a = own.get(name);
      Tensor b = given.get(name);
      if (a == null
          || b == null
          || !Arrays.equals(a.shape(), b.shape())
          || a.scalar_type().intern() != b.scalar_type().intern()) {
        throw new IllegalArgumentException(
            "does not fit the model: " + name + (b == null ? " is missing" : ""));
      }
    }
  }

  /**
   * Everything saved, as views: parameters and buffers, {@code adam.m.*}, {@code adam.v.*}, {@code
   * ema.*}.
   */
  private static Map<String, Tensor> tensors(State state) {
    var tensors = new TreeMap<>(state.parameters.state());
    var flat = state.parameters.flat();
    for (String name : flat.slices().keySet()) {
      tensors.put("adam.m." + name, flat.view(state.adam.m(), name));
      tensors.put("adam.v." + name, flat.view(state.adam.v(), name));
      if (state.average != null) {
        tensors.put("ema." + name, flat.view(state.average.average(), name));
      }
    }
    return tensors;
  }
}
