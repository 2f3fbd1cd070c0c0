package cifvi.experiments.run;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.nn.Parameters;
import cifvi.vi.Optimiser;
import cifvi.vi.Trainer;
import cifvi.vi.TrainingState;
import cifvi.vi.WeightAverage;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run in {@code checkpoints/}: one file with parameters, buffers, the optimiser's
 * moments and, as metadata, the counters. Equal runs give byte-equal files. Everything in a file is
 * checked before anything of it is loaded.
 */
public final class Checkpoints {
  private final CheckpointFolder folder;

  private Checkpoints(CheckpointFolder folder) {
    this.folder = folder;
  }

  /** Those of a run, which belong to its {@code spec.yaml} and to no other. */
  public static Checkpoints of(RunDirectory directory, RunSpec spec) {
    var hash = SpecHash.of(directory.read(RunSpec.FILE), spec.growing());
    return new Checkpoints(new CheckpointFolder(directory, hash));
  }

  /**
   * What is saved: a model in training.
   *
   * @param stage null where the run has one only
   * @param average null where the weights are not averaged
   * @param stopping null where the run has no validation
   */
  public record State(
      @Nullable String stage,
      Parameters parameters,
      Optimiser optimiser,
      Trainer trainer,
      @Nullable WeightAverage average,
      @Nullable EarlyStopping stopping) {
    private TrainingState training() {
      return new TrainingState(parameters, optimiser, trainer, average);
    }
  }

  /** Saves the beginning of a run: lines without a checkpoint then tell that one is gone. */
  void saveFirst(State state) {
    if (folder.isEmpty()) {
      save(state);
    }
  }

  public void save(State state) {
    try (var _ = new PointerScope()) {
      folder.writeLatest(state.training().tensors(), Counters.of(state).metadata());
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Keeps the state as the one with the best validation value so far. */
  public void saveBest(State state) {
    try (var _ = new PointerScope()) {
      folder.writeBest(state.training().tensors(), Counters.of(state).metadata());
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private UserException unwritable(IOException e) {
    return new UserException(
        folder.directory().path()
            + ": the checkpoint cannot be written: "
            + WholeFile.reason(e)
            + "; the last good one is kept",
        e);
  }

  /**
   * Fills the state from the newest good checkpoint that the logs reach. Where there is none though
   * the run has begun, it says so and touches nothing.
   *
   * @param report told why a file was refused
   * @return whether there was one; a new run starts at step 0
   */
  public boolean restore(State state, Logged logged, Consumer<String> report) {
    return folder.newest(file -> restore(state, logged, file), report);
  }

  /**
   * The stage that the newest good checkpoint is of; empty where there is none, or no name for it.
   *
   * @param report told why a file was refused
   */
  public Optional<String> stage(Logged logged, Consumer<String> report) {
    var stage = new AtomicReference<@Nullable String>();
    folder.newest(
        file -> {
          logged.requireSteps(Counters.step(file.metadata()));
          stage.set(file.metadata().get(Counters.STAGE));
        },
        report);
    return Optional.ofNullable(stage.get());
  }

  /**
   * Loads only the parameters to be evaluated: those of the best epoch in a run with validation,
   * else the last; their average where there is one.
   */
  public void restoreParameters(Parameters parameters, Consumer<String> report) {
    boolean found =
        folder.trained(
            file -> {
              var state = new HashMap<String, Tensor>();
              parameters.state().keySet().forEach(key -> take(file, key, state));
              parameters.load(state);
            },
            report);
    if (!found) {
      String path = folder.directory().path().toString();
      throw new UserException(path + " has not begun to train: go on with cifvi resume " + path);
    }
  }

  /** Refuses where the run cannot be given more to do. */
  void requireExtensible() {
    folder.requireExtensible();
  }

  private static void take(CheckpointFile file, String key, Map<String, Tensor> state) {
    Tensor value = file.tensors().getOrDefault("ema." + key, file.tensors().get(key));
    if (value != null) {
      state.put(key, value);
    }
  }

  /** Reads and checks everything before it changes anything: refused is untouched. */
  private void restore(State state, Logged logged, CheckpointFile file) {
    var flat = state.parameters.flat();
    var counters =
        Counters.parse(file.metadata(), flat.slices().sequencedKeySet(), state.stopping != null);
    requireStage(state, file);
    state.training().requireFits(file.tensors());
    logged.require(counters);
    if (counters.stopping() != null) {
      folder.requireBest(counters.stopping());
    }
    state.training().restore(file.tensors(), file.metadata());
    if (state.stopping != null && counters.stopping() != null) {
      state.stopping.resume(counters.stopping());
    }
  }

  private static void requireStage(State state, CheckpointFile file) {
    String stage = file.metadata().get(Counters.STAGE);
    if (!Objects.equals(stage, state.stage)) {
      throw new IllegalArgumentException(
          "is of stage " + stage + ", the run goes on with " + state.stage);
    }
  }
}
