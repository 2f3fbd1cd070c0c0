package cifvi.experiments.fit;

import cifvi.experiments.files.UserException;
import cifvi.stan.StanCompiler;
import cifvi.stan.StanModel;
import java.nio.file.Path;
import java.util.Objects;

/** The Stan model of a spec, compiled where it is no library yet. */
final class StanSource {
  private static final String SOURCE = ".stan";

  private StanSource() {}

  static StanModel open(FitSpec spec) {
    Path file = Path.of(Objects.requireNonNull(spec.stan()));
    try {
      Path library = file.toString().endsWith(SOURCE) ? compiled(spec, file) : file;
      String data = spec.data() == null ? "" : spec.data();
      return StanModel.open(library, data, spec.seed(), Boolean.TRUE.equals(spec.generated()));
    } catch (IllegalArgumentException e) {
      throw new UserException("--stan: " + e.getMessage(), e);
    }
  }

  private static Path compiled(FitSpec spec, Path model) {
    String folder = spec.bridgestan() == null ? System.getenv("BRIDGESTAN") : spec.bridgestan();
    return folder == null || folder.isEmpty()
        ? StanCompiler.compiled(model)
        : new StanCompiler(Path.of(folder)).compile(model);
  }

  /** The name of a model, without what BridgeStan adds to it. */
  static String subject(String file) {
    String name = Path.of(file).getFileName().toString();
    return name.replaceFirst("\\.[A-Za-z]+$", "")
        .replaceFirst("^lib(?=.)", "")
        .replaceFirst("(?<=.)_model$", "");
  }
}
