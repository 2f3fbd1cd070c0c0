package cifvi.experiments.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The settings of a run, written again, are the same settings. */
final class SpecReading {
  private static final String METRICS = "step,elbo,grad_norm,learning_rate,ms\n0,-1.5,2,0.001,3\n";

  private SpecReading() {}

  static void read(Path file) throws IOException, RefusedException {
    Path folder = file.resolveSibling("");
    Path metrics = folder.resolve("metrics.csv");
    if (!Files.exists(metrics)) {
      Files.writeString(metrics, METRICS);
    }
    var _ = new CellFolder(folder).progress(); // a sweep looks at whatever is there
    var directory = RunDirectory.read(folder);
    try {
      switch (directory.kind()) {
        case MogSpec.KIND -> requireSame(RunSpec.read(directory, MogSpec.class), MogSpec.class);
        case ImagesSpec.KIND ->
            requireSame(RunSpec.read(directory, ImagesSpec.class), ImagesSpec.class);
        default -> throw directory.unknownKind(List.of(MogSpec.KIND, ImagesSpec.KIND));
      }
    } catch (UserException e) {
      throw new RefusedException(e);
    }
  }

  private static <S extends RunSpec> void requireSame(S spec, Class<S> type) {
    assertThat(RunSpec.parse(spec.yaml(), type)).isEqualTo(spec);
    assertThat(spec.growing()).isNotNull();
  }
}
