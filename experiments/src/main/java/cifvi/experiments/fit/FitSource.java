package cifvi.experiments.fit;

import cifvi.Cifvi;
import cifvi.Fit;
import cifvi.FittedPosterior;
import cifvi.LogDensity;
import cifvi.experiments.files.UserException;
import cifvi.experiments.regression.Regression;
import cifvi.experiments.target.KnownAnswers;
import cifvi.experiments.target.KnownDensity;
import cifvi.experiments.target.Targets;
import cifvi.stan.StanModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a spec asks to fit, loaded.
 *
 * @param fit with the place to begin at that it suggests
 * @param density null where it is a target of libtorch operations
 * @param notes what was noticed while it was loaded
 */
record FitSource(Fit fit, @Nullable LogDensity density, List<String> notes)
    implements AutoCloseable {
  static FitSource of(FitSpec spec) {
    OptionalInt dimensions =
        spec.dimensions() == null ? OptionalInt.empty() : OptionalInt.of(spec.dimensions());
    if (spec.regression() != null) {
      var kind = Regression.Kind.of(spec.regression());
      var regression =
          Regression.read(
              kind,
              Path.of(Objects.requireNonNull(spec.data())),
              Objects.requireNonNull(spec.response()));
      return new FitSource(regression.fitting(), regression, regression.notes());
    }
    if (spec.stan() != null) {
      StanModel model = StanSource.open(spec);
      return new FitSource(Cifvi.fitting(model), model, List.of());
    }
    if (spec.className() != null) {
      var own = OwnDensity.load(spec.className(), Objects.requireNonNull(spec.classPath()));
      return new FitSource(own.fitting(dimensions), own.logDensity().orElse(null), List.of());
    }
    LogDensity density = Targets.of(Objects.requireNonNull(spec.target()), dimensions);
    return new FitSource(Cifvi.fitting(density), density, List.of());
  }

  /** What is known about it. */
  Optional<KnownAnswers> known() {
    return density instanceof KnownDensity target ? Optional.of(target.known()) : Optional.empty();
  }

  /** Frees a model in native memory. */
  @Override
  public void close() {
    if (density instanceof StanModel model) {
      model.close();
    }
  }

  /** The posterior of a finished fit, its density with it where that is one of plain numbers. */
  FittedPosterior load(Path file) {
    try {
      return density == null ? FittedPosterior.load(file) : FittedPosterior.load(file, density);
    } catch (IOException e) {
      throw new UserException(e.getMessage() + "; fit again with cifvi resume DIR --restart", e);
    }
  }
}
