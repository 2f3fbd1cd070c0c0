package cifvi.experiments.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The result of a run, of whichever kind, written again, is the same result; of its provenance
 * every entry can be shown.
 */
final class ResultReading {
  private ResultReading() {}

  static void read(Path file) throws IOException, RefusedException {
    Path folder = file.resolveSibling("");
    Path spec = folder.resolve("spec.yaml");
    if (!Files.exists(spec)) {
      Files.writeString(spec, "kind: mog\n");
    }
    var directory = RunDirectory.read(folder);
    try {
      var _ = new CellFolder(folder).result();
      String kind = directory.result().path("kind").asString("");
      if (kind.isEmpty() && directory.result().has("cifvi")) {
        Texts.tree(Texts.YAML, file, directory.read(RunDirectory.RESULT))
            .forEachEntry((key, value) -> assertThat(value.asString(key)).isNotNull());
      } else if (kind.equals("images")) {
        ImagesResult result = ImagesResult.read(directory);
        Files.writeString(file, result.json());
        assertThat(ImagesResult.read(directory)).isEqualTo(result);
      } else {
        MogResult result = MogResult.read(directory);
        Files.writeString(file, result.json());
        assertThat(MogResult.read(directory)).isEqualTo(result);
      }
    } catch (UserException e) {
      throw new RefusedException(e);
    }
  }
}
