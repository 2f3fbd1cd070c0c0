package cifvi.cli.report;

import cifvi.cli.plot.Numerals;
import cifvi.cli.plot.RunFigures;
import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.MogPicture;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogRun;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.StepRow;
import cifvi.experiments.run.Texts;
import cifvi.experiments.run.UserException;
import cifvi.vi.Model;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/**
 * One run as the page needs it.
 *
 * @param result absent while the run is unfinished
 * @param drawn absent where there is no model to draw yet
 */
record ReportRun(
    Path path,
    MogSpec spec,
    Map<String, String> settings,
    Map<String, String> provenance,
    Optional<MogResult> result,
    Curve curve,
    RunFigures figures,
    Optional<RunFigures.Drawn> drawn) {
  private static final int CURVE_POINTS = 400;

  /** Reads a run and draws its figures into its folder. */
  static ReportRun read(Path path) {
    var directory = RunDirectory.read(path);
    Map<String, String> settings = entries(directory, "spec.yaml");
    requireMixture(path, settings);
    MogSpec spec = spec(directory);
    Optional<MogResult> result =
        directory.has("result.json") ? Optional.of(MogResult.read(directory)) : Optional.empty();
    List<StepRow> rows = StepRow.read(directory);
    Curve curve = Curve.of(rows, CURVE_POINTS);
    var figures = new RunFigures(directory.file("figures"));
    figures.write(curve);
    return new ReportRun(
        path,
        spec,
        settings,
        directory.has("provenance.json") ? entries(directory, "provenance.json") : Map.of(),
        result,
        curve,
        figures,
        draw(directory, spec, figures, title(result, curve)));
  }

  private static void requireMixture(Path path, Map<String, String> settings) {
    String kind = settings.getOrDefault("kind", "none");
    if (!kind.equals(MogSpec.KIND)) {
      throw new UserException(
          path + " cannot be reported: expected a run of kind mog, got " + kind);
    }
  }

  private static MogSpec spec(RunDirectory directory) {
    try {
      return MogSpec.parse(directory.read("spec.yaml"));
    } catch (UserException e) {
      throw new UserException(directory.path() + " cannot be reported: " + e.getMessage(), e);
    }
  }

  /** The entries of a flat file; JSON is YAML, too. */
  private static Map<String, String> entries(RunDirectory directory, String file) {
    try {
      var entries = new LinkedHashMap<String, String>();
      Texts.YAML
          .readValue(directory.read(file), new TypeReference<LinkedHashMap<String, Object>>() {})
          .forEach((key, value) -> entries.put(key, value == null ? "" : value.toString()));
      return entries;
    } catch (JacksonException e) {
      throw new UserException(directory.file(file) + ": " + e.getOriginalMessage(), e);
    }
  }

  private static String title(Optional<MogResult> result, Curve curve) {
    return result
        .map(r -> "marginal ELBO = " + Numerals.title(r.marginalElbo()))
        .orElse("unfinished, " + Numerals.whole(curve.stepsDone()) + " steps");
  }

  private static Optional<RunFigures.Drawn> draw(
      RunDirectory directory, MogSpec spec, RunFigures figures, String title) {
    if (!directory.has("checkpoints/latest.safetensors")
        && !directory.has("checkpoints/previous.safetensors")) {
      return Optional.empty();
    }
    try (Model model = MogRun.load(directory, RunListener.SILENT)) {
      var picture = new MogPicture(model, spec.seed(), Frame.ofMixture(spec.components()));
      return Optional.of(figures.write(picture, title));
    }
  }

  boolean isCif() {
    return spec.model() == MogSpec.Flow.CIF_NSF;
  }
}
