package cifvi.experiments.mog;

import cifvi.vi.BoundLadder;
import cifvi.vi.Estimate;
import cifvi.vi.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One of the bounds of a trained mixture model. In expectation each is at least as high as the one
 * before it in its chain: with draws of their own ELBO ≤ IWAE-5 ≤ IWAE-50 ≤ log Z = 0, and on the
 * same z those of {@link BoundLadder}.
 *
 * @param bound {@code elbo}, {@code iwae:K}, {@code log-z}, {@code iwhvi:M} or {@code eq22:M}
 * @param rise from the bound before
 * @param overFirst from the first of the chain: of {@code iwhvi:M} with a large M, the slack
 * @param differences {@code paired} where they are those of the same draws, else {@code
 *     independent}
 */
public record BoundRow(
    String run,
    String bound,
    double value,
    double valueSe,
    double rise,
    double riseSe,
    double overFirst,
    double overFirstSe,
    String differences) {
  private static final String FORMAT = "%-44s %-10s %20s  %20s  %7s  %20s";

  /**
   * How much is drawn.
   *
   * @param draws for each bound of the first chain
   * @param outer z of the second
   * @param inners paths back from each, rising
   */
  public record Size(long draws, long outer, List<Long> inners) {}

  private static final List<Integer> IWAE = List.of(5, 50);

  /** All bounds of a model. */
  static List<BoundRow> of(
      String run, MogEvaluation evaluation, Size size, Function<String, Progress> progress) {
    var rows = new ArrayList<BoundRow>();
    var independent = new ArrayList<Estimate>();
    independent.add(evaluation.elbo(size.draws, progress.apply("ELBO")));
    rows.add(row(run, "elbo", independent));
    for (int k : IWAE) {
      independent.add(evaluation.iwae(size.draws / k, k, progress.apply("IWAE-" + k)));
      rows.add(row(run, "iwae:" + k, independent));
    }
    independent.add(new Estimate(0, 0, 1)); // the mixture is normalised
    rows.add(row(run, "log-z", independent));
    evaluation
        .ladder(size.outer, size.inners, progress.apply("IWHVI"))
        .rungs()
        .forEach(rung -> rows.add(row(run, rung)));
    return rows;
  }

  private static BoundRow row(String run, String bound, List<Estimate> chain) {
    Estimate value = chain.getLast();
    Estimate before = chain.get(Math.max(0, chain.size() - 2));
    Estimate first = chain.getFirst();
    return new BoundRow(
        run,
        bound,
        value.mean(),
        value.standardError(),
        value.mean() - before.mean(),
        chain.size() < 2 ? 0 : Math.hypot(value.standardError(), before.standardError()),
        value.mean() - first.mean(),
        chain.size() < 2 ? 0 : Math.hypot(value.standardError(), first.standardError()),
        "independent");
  }

  private static BoundRow row(String run, BoundLadder.Rung rung) {
    return new BoundRow(
        run,
        (rung.upper() ? "eq22:" : "iwhvi:") + rung.paths(),
        rung.bound().mean(),
        rung.bound().standardError(),
        rung.rise().mean(),
        rung.rise().standardError(),
        rung.overAuxiliary().mean(),
        rung.overAuxiliary().standardError(),
        "paired");
  }

  /** Standard errors that it lies above the bound before. */
  public double errors() {
    return riseSe == 0 ? 0 : rise / riseSe;
  }

  /** As people read them. */
  public static List<String> text(List<BoundRow> rows) {
    var text = new ArrayList<String>();
    text.add(
        FORMAT.formatted("run", "bound", "value", "above the last", "in se", "above the first"));
    for (BoundRow row : rows) {
      text.add(
          FORMAT.formatted(
              row.run,
              row.bound,
              text(row.value, row.valueSe),
              text(row.rise, row.riseSe),
              String.format(Locale.ROOT, "%.1f", row.errors()),
              text(row.overFirst, row.overFirstSe)));
    }
    return text;
  }

  private static String text(double value, double error) {
    return String.format(Locale.ROOT, "%.5f ± %.5f", value, error);
  }
}
