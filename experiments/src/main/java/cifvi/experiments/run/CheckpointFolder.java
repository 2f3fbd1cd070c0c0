package cifvi.experiments.run;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/**
 * The files in {@code checkpoints/}. A new one is complete under a temporary name before {@code
 * latest} becomes {@code previous} and it becomes {@code latest}: at every moment one good file
 * exists. A damaged file is passed over for the one before; one of another spec is not.
 */
record CheckpointFolder(RunDirectory directory, SpecHash spec) {
  private static final String LATEST = "latest.safetensors";
  private static final String PREVIOUS = "previous.safetensors";
  private static final String BEST = "best.safetensors";

  boolean isEmpty() {
    return there(LATEST, PREVIOUS).isEmpty();
  }

  void writeLatest(Map<String, Tensor> tensors, Map<String, String> counters) throws IOException {
    Path fresh = file("next.safetensors");
    write(fresh, tensors, counters);
    directory.requireHeld();
    if (Files.exists(file(LATEST))) {
      move(file(LATEST), file(PREVIOUS));
    }
    move(fresh, file(LATEST));
  }

  void writeBest(Map<String, Tensor> tensors, Map<String, String> counters) throws IOException {
    write(file(BEST), tensors, counters);
  }

  private void write(Path file, Map<String, Tensor> tensors, Map<String, String> counters)
      throws IOException {
    directory.requireHeld();
    var metadata = new TreeMap<>(counters);
    metadata.put("spec", spec.lasting());
    CheckpointFile.write(file, tensors, metadata);
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Hands the newest good file over; one that {@code use} refuses by an IllegalArgumentException
   * counts as damaged.
   *
   * @param report told why files were passed over
   * @return false where the run has not begun
   */
  boolean newest(Consumer<CheckpointFile> use, Consumer<String> report) {
    return first(there(LATEST, PREVIOUS), use, report);
  }

  /** Likewise the one to be evaluated: of the best epoch in a run with validation. */
  boolean trained(Consumer<CheckpointFile> use, Consumer<String> report) {
    Optional<EarlyStopping.State> reached = validation();
    if (Files.exists(file(BEST)) || reached.filter(s -> s.bestEpoch() > 0).isPresent()) {
      return first(
          List.of(file(BEST)),
          best -> {
            reached.ifPresent(state -> requireBest(best, state));
            if (isValidated(best)) {
              requireOfResult(best, "epoch", "best_epoch");
            }
            use.accept(best);
          },
          report);
    }
    return newest(
        file -> {
          if (!isValidated(file)) {
            requireOfResult(file, "step", "steps");
          }
          use.accept(file);
        },
        report);
  }

  private static boolean isValidated(CheckpointFile file) {
    return file.metadata().containsKey("best_epoch");
  }

  /** What is evaluated of a finished run must be the model that its result is of. */
  private void requireOfResult(CheckpointFile file, String counter, String key) {
    if (directory.has(RunDirectory.RESULT)) {
      String found = String.valueOf(file.metadata().get(counter));
      String expected = directory.result().path(key).asString("none");
      if (!found.equals(expected)) {
        throw new IllegalArgumentException(
            "is of %s %s, result.json of %s: remove that one and resume to train the rest again"
                .formatted(counter, found, expected));
      }
    }
  }

  /** How far the newest good checkpoint has come; empty where there is none, or no validation. */
  private Optional<EarlyStopping.State> validation() {
    for (Path file : there(LATEST, PREVIOUS)) {
      try (var _ = new PointerScope()) {
        CheckpointFile content = read(file);
        return isValidated(content)
            ? Optional.of(Counters.stopping(content.metadata()))
            : Optional.empty();
      } catch (IOException | IllegalArgumentException _) {
        // the next may be good; whoever needs this one says what is wrong with it
      }
    }
    return Optional.empty();
  }

  /** Refuses a state whose best epoch is not the one that is kept. */
  void requireBest(EarlyStopping.State state) {
    if (state.bestEpoch() > 0) {
      try (var _ = new PointerScope()) {
        requireBest(read(file(BEST)), state);
      } catch (IOException e) {
        throw new IllegalArgumentException("its best epoch is lost: " + reason(file(BEST), e), e);
      }
    }
  }

  /** A best epoch that is still to come is made again on the way. */
  private static void requireBest(CheckpointFile best, EarlyStopping.State state) {
    long epoch = Counters.stopping(best.metadata()).epochs();
    if (epoch != state.bestEpoch() && epoch <= state.epochs()) {
      throw new IllegalArgumentException(
          BEST + " is of epoch " + epoch + ", the best was epoch " + state.bestEpoch());
    }
  }

  /**
   * Makes sure that the run can be given more to do: there is something to go on from, and no
   * checkpoint belongs to the old spec to the letter, as those of the first format do.
   */
  void requireExtensible() {
    first(there(LATEST, PREVIOUS), _ -> {}, _ -> {});
    for (Path file : there(LATEST, PREVIOUS, BEST)) {
      try (var _ = new PointerScope()) {
        CheckpointFile content = read(file);
        if (content.isOfFirstFormat()) {
          write(file, content.tensors(), content.metadata());
        }
      } catch (IOException e) {
        throw new UserException(reason(file, e), e);
      }
    }
  }

  private boolean first(List<Path> files, Consumer<CheckpointFile> use, Consumer<String> report) {
    var refused = new ArrayList<String>();
    for (Path file : files) {
      try (var _ = new PointerScope()) {
        CheckpointFile content = read(file);
        use.accept(content);
        refused.forEach(report);
        if (content.isOfFirstFormat()) {
          report.accept(file + ": of an earlier version, without a checksum of its counters");
        }
        return true;
      } catch (IOException | IllegalArgumentException e) {
        refused.add("checkpoint refused: " + reason(file, e));
      }
    }
    if (refused.isEmpty() && !directory.isBegun()) {
      return false;
    }
    throw new UserException(
        "%s has no good checkpoint%s. To train it again from step 0: cifvi resume %s --restart"
            .formatted(
                directory.path(),
                refused.stream().map(why -> "; " + why).collect(Collectors.joining()),
                directory.path()));
  }

  private CheckpointFile read(Path file) throws IOException {
    CheckpointFile content = CheckpointFile.read(file);
    if (!spec.fits(content)) {
      throw new UserException(
          ("%s was made with another spec.yaml: put that back as it was. To give a run more to do:"
                  + " cifvi resume %s with --steps, --epochs or --patience; to train with the new"
                  + " settings from step 0: --restart")
              .formatted(file, directory.path()));
    }
    return content;
  }

  private static String reason(Path file, Exception e) {
    if (e instanceof NoSuchFileException) {
      return file + ": is missing";
    }
    String message = String.valueOf(e.getMessage());
    return message.startsWith(file.toString()) ? message : file + ": " + message;
  }

  private List<Path> there(String... names) {
    return Arrays.stream(names).map(this::file).filter(Files::exists).toList();
  }

  private Path file(String name) {
    return directory.file("checkpoints").resolve(name);
  }
}
