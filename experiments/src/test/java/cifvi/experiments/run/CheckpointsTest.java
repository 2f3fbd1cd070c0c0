package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.experiments.files.UserException;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Schedule;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused leaves the model as it was. */
class CheckpointsTest {
  private static final MogSpec SPEC =
      MogSpec.paper(MogSpec.Flow.NSF, Placement.PAPER, 9, Sigma0.parse("1"), 10, 1);

  @TempDir private Path folder;

  /** Lets {@code use} work with a model in training. */
  private static void training(Consumer<Checkpoints.State> use) {
    try (var _ = new PointerScope();
        Model model = SPEC.mogModel().build(Backend.cpu(Precision.FLOAT32), SPEC.seed());
        var engine =
            EagerEngine.seeded(
                model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 3, 1))) {
      var trainer = new Trainer(engine, Schedule.constant(1e-3));
      var stopping = new EarlyStopping(3);
      use.accept(
          new Checkpoints.State(
              null, model.parameters(), engine.optimiser(), trainer, null, stopping));
    }
  }

  private static double[] numbers(Checkpoints.State state) {
    return Backend.doubles(state.parameters().flat().values());
  }

  private void assertRefusedUntouched(RunDirectory directory, String reason) {
    training(
        state -> {
          double[] before = numbers(state);
          assertThatThrownBy(
                  () -> Checkpoints.of(directory, SPEC).restore(state, new Logged(2, 0), _ -> {}))
              .isInstanceOf(UserException.class)
              .hasMessageContainingAll("latest.safetensors", reason, "--restart");
          assertThat(numbers(state)).isEqualTo(before);
          assertThat(state.optimiser().moments().values())
              .allSatisfy(moment -> assertThat(Backend.doubles(moment)).containsOnly(0));
          assertThat(state.optimiser().updates()).isZero();
          assertThat(state.trainer().steps()).isZero();
          assertThat(state.stopping()).isNotNull();
        });
  }

  private static void save(RunDirectory directory) {
    training(
        state -> {
          state.trainer().run(2, Observation.none(10), _ -> true);
          Checkpoints.of(directory, SPEC).save(state);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "step, eleven",
    "step, -1",
    "adam_updates, 3",
    "skipped, 99999999999999999999",
    "skipped_in_a_row, 4294967296",
    "best_valid_elbo, low",
    "bad_epochs, 7",
    "adam_start.layers.1.made.final.bias, 12",
  })
  void aNumberThatCannotBeIsRefusedBeforeAnythingIsLoaded(String key, String value)
      throws IOException {
    try (var directory = RunDirectory.create(folder.resolve("run"), SPEC);
        var _ = new PointerScope()) {
      save(directory);
      Path latest = directory.file("checkpoints/latest.safetensors");
      var content = CheckpointFile.read(latest);
      var metadata = new TreeMap<>(content.metadata());
      assertThat(metadata).containsKey(key);
      metadata.put(key, value);
      CheckpointFile.write(latest, content.tensors(), metadata);
      assertRefusedUntouched(directory, key);
    }
  }

  @Test
  void oneBitOfTheCountersIsNoticed() throws IOException {
    try (var directory = RunDirectory.create(folder.resolve("run"), SPEC)) {
      save(directory);
      Path latest = directory.file("checkpoints/latest.safetensors");
      byte[] bytes = Files.readAllBytes(latest);
      String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
      int at = text.indexOf("\"step\":\"2\"") + "\"step\":\"".length();
      assertThat(bytes[at]).isEqualTo((byte) '2');
      bytes[at] ^= 1; // 3
      Files.write(latest, bytes);
      assertRefusedUntouched(directory, "checksum");
    }
  }

  @Test
  void aTensorOfAnotherShapeIsRefusedBeforeAnythingIsLoaded() throws IOException {
    try (var directory = RunDirectory.create(folder.resolve("run"), SPEC);
        var _ = new PointerScope()) {
      save(directory);
      Path latest = directory.file("checkpoints/latest.safetensors");
      var content = CheckpointFile.read(latest);
      var tensors = new TreeMap<>(content.tensors());
      String last = tensors.lastKey();
      tensors.put(last, Backend.cpu(Precision.FLOAT32).zeros(3));
      CheckpointFile.write(latest, tensors, content.metadata());
      assertRefusedUntouched(directory, "does not fit the model: " + last);
    }
  }
}
