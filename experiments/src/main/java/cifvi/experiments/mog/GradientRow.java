package cifvi.experiments.mog;

import cifvi.diagnostics.GradientNoise;
import cifvi.distribution.Observation;
import cifvi.experiments.run.NamedObjective;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Model;
import cifvi.vi.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How noisy one gradient estimator is at one state of a mixture model, with as many draws a batch
 * as the others have.
 *
 * @param state of training
 * @param rows of a batch, each with the draws of its objective, those of r counted
 * @param trace tr Cov of the gradient in all parameters
 * @param traceWithoutR the same in those of q and G alone
 */
public record GradientRow(
    String run,
    String state,
    String objective,
    long rows,
    long batches,
    double trace,
    double traceSe,
    double signalToNoise,
    double signalToNoiseSe,
    double traceWithoutR,
    double traceWithoutRSe,
    double signalToNoiseWithoutR,
    double signalToNoiseWithoutRSe) {
  private static final String FORMAT = "%-44s %-10s %-8s %5s  %22s  %18s  %22s  %18s";

  /** The estimators compared: where they take several draws a row, five. */
  public static final List<NamedObjective> OBJECTIVES =
      List.of("elbo", "path", "iwae:5", "dreg:5", "iwhvi:4").stream()
          .map(NamedObjective::parse)
          .toList();

  /** Draws of a batch, forward and back. */
  public static final int DRAWS = 1000;

  /** Of a model as it is now; every estimator has the same seed, and so the same z where it can. */
  static GradientRow of(
      String run,
      String state,
      Model model,
      NamedObjective objective,
      int batches,
      long seed,
      Progress progress) {
    int rows = DRAWS / objective.rowDraws();
    var rng = new CounterRng(model.parameters().backend(), seed, Purpose.VALIDATE);
    var gradients =
        GradientNoise.of(
            model, objective.objective(), Observation.none(rows), batches, rng::step, progress);
    var all = gradients.in(_ -> true);
    var withoutR = gradients.in(name -> !name.contains(".r."));
    return new GradientRow(
        run,
        state,
        objective.toString(),
        rows,
        batches,
        all.trace().mean(),
        all.trace().standardError(),
        all.signalToNoise().mean(),
        all.signalToNoise().standardError(),
        withoutR.trace().mean(),
        withoutR.trace().standardError(),
        withoutR.signalToNoise().mean(),
        withoutR.signalToNoise().standardError());
  }

  /** As people read them. */
  public static List<String> text(List<GradientRow> rows) {
    var text = new ArrayList<String>();
    text.add(
        FORMAT.formatted(
            "run",
            "state",
            "gradient",
            "rows",
            "tr Cov",
            "signal / noise",
            "tr Cov without r",
            "signal / noise"));
    for (GradientRow row : rows) {
      text.add(
          FORMAT.formatted(
              row.run,
              row.state,
              row.objective,
              row.rows,
              text("%.4g ± %.2g", row.trace, row.traceSe),
              text("%.3f ± %.3f", row.signalToNoise, row.signalToNoiseSe),
              text("%.4g ± %.2g", row.traceWithoutR, row.traceWithoutRSe),
              text("%.3f ± %.3f", row.signalToNoiseWithoutR, row.signalToNoiseWithoutRSe)));
    }
    return text;
  }

  private static String text(String format, double value, double error) {
    return String.format(Locale.ROOT, format, value, error);
  }
}
