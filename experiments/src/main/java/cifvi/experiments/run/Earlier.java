package cifvi.experiments.run;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where files of a run go that no longer describe it, {@code earlier/1}, {@code earlier/2}, …:
 * nothing is deleted.
 */
final class Earlier {
  /** What was found out about the model as it was. */
  static final List<String> EVALUATIONS =
      List.of(RunDirectory.RESULT, "evaluations.csv", "likelihoods", RunDirectory.PARTS);

  /** All that a run has but its spec; the checkpoints last, for without them it is new. */
  static final List<String> ALL =
      List.of(
          RunDirectory.RESULT,
          "evaluations.csv",
          "likelihoods",
          RunDirectory.PARTS,
          "provenance.json",
          "metrics.csv",
          "epochs.csv",
          "checkpoints");

  private Earlier() {}

  /** Moves those of the files that are there. */
  static void setAside(RunDirectory directory, List<String> names) {
    List<String> there = names.stream().filter(directory::has).toList();
    if (there.isEmpty()) {
      return;
    }
    try {
      Path folder = free(directory);
      Files.createDirectories(folder);
      for (String name : there) {
        Files.move(directory.file(name), folder.resolve(name));
      }
    } catch (IOException e) {
      throw new UserException(directory.path() + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }

  private static Path free(RunDirectory directory) {
    int number = 1;
    while (directory.has("earlier/" + number)) {
      number++;
    }
    return directory.file("earlier/" + number);
  }
}
