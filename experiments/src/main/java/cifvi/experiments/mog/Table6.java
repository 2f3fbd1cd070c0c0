package cifvi.experiments.mog;

import cifvi.experiments.run.RunDirectory;
import cifvi.vi.MarginalElbo.Bracket;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * Table 6: twenty estimates of the marginal ELBO of one trained model for growing N, with M = N or
 * M = ⌊√N⌋. Every estimate is kept as soon as it is made, so that the table can be gone on with.
 */
public record Table6(RunDirectory directory, MogEvaluation evaluation) {
  public static final int REPEATS = 20;

  /**
   * What the paper reports, mean and population standard deviation of 20 estimates.
   *
   * @param linear whether M = N, otherwise M = ⌊√N⌋
   */
  public record Paper(
      long outer,
      boolean linear,
      double marginal,
      double marginalSd,
      double auxiliary,
      double auxiliarySd) {
    public long inner() {
      return linear ? outer : (long) Math.sqrt((double) outer);
    }

    /** Paths back of one estimate. */
    long paths() {
      return outer * inner();
    }
  }

  /** A row of ours beside the paper's. */
  public record Row(Paper paper, Moments marginal, Moments lower, Moments auxiliary) {}

  public static final List<Paper> PAPER =
      List.of(
          new Paper(1, true, -0.213, 0.665, -0.237, 0.668),
          new Paper(5, true, -0.165, 0.180, -0.166, 0.183),
          new Paper(10, true, -0.189, 0.180, -0.190, 0.187),
          new Paper(50, true, -0.190, 0.078, -0.198, 0.076),
          new Paper(100, true, -0.177, 0.057, -0.182, 0.059),
          new Paper(500, true, -0.176, 0.022, -0.180, 0.022),
          new Paper(1000, true, -0.160, 0.018, -0.165, 0.019),
          new Paper(5000, true, -0.169, 0.006, -0.174, 0.006),
          new Paper(10000, true, -0.171, 0.006, -0.175, 0.006),
          new Paper(50000, true, -0.169, 0.002, -0.174, 0.002),
          new Paper(1, false, -0.302, 0.361, -0.317, 0.363),
          new Paper(5, false, -0.178, 0.221, -0.186, 0.223),
          new Paper(10, false, -0.156, 0.136, -0.160, 0.145),
          new Paper(50, false, -0.162, 0.094, -0.167, 0.096),
          new Paper(100, false, -0.181, 0.056, -0.185, 0.053),
          new Paper(500, false, -0.172, 0.018, -0.177, 0.019),
          new Paper(1000, false, -0.169, 0.020, -0.174, 0.020),
          new Paper(5000, false, -0.174, 0.006, -0.179, 0.006),
          new Paper(10000, false, -0.170, 0.005, -0.175, 0.005),
          new Paper(50000, false, -0.170, 0.002, -0.175, 0.002));

  /**
   * The rows wanted: those with M = N as far as an N, and none with more paths than this share of
   * the longest of them.
   */
  public static List<Paper> rows(long linearUpTo, double budget) {
    List<Paper> all = PAPER.stream().filter(row -> !row.linear || row.outer <= linearUpTo).toList();
    double most = budget * all.stream().mapToLong(Paper::paths).max().orElse(0);
    return all.stream().filter(row -> row.paths() <= Math.max(1, most)).toList();
  }

  /**
   * The row for one pair of N and M, made of what is there and of what is missing, which is
   * computed now.
   */
  public Row row(Paper paper, Progress progress) {
    var evaluations = new Evaluations(directory);
    var known = new ArrayList<>(evaluations.rows());
    var row = new Row(paper, new Moments(), new Moments(), new Moments());
    for (int i = 0; i < REPEATS; i++) {
      int repeat = i;
      var line =
          known.stream()
              .filter(
                  l ->
                      l.outer() == paper.outer()
                          && l.inner() == paper.inner()
                          && l.repeat() == repeat)
              .findFirst()
              .orElseGet(() -> compute(evaluations, paper, repeat, progress));
      row.marginal.add(line.marginalElbo());
      row.lower.add(line.marginalElboLower());
      row.auxiliary.add(line.auxiliaryElbo());
    }
    return row;
  }

  private Evaluations.Row compute(
      Evaluations evaluations, Paper paper, int repeat, Progress progress) {
    long start = System.nanoTime();
    long all = REPEATS * paper.paths();
    long before = repeat * paper.paths();
    Bracket bracket =
        evaluation.marginalElbo(
            paper.outer(), paper.inner(), repeat, (done, _) -> progress.done(before + done, all));
    return evaluations.append(
        paper.outer(), paper.inner(), repeat, bracket, (System.nanoTime() - start) / 1e9);
  }
}
