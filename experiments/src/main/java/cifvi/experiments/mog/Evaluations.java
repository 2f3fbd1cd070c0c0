package cifvi.experiments.mog;

import cifvi.experiments.files.CsvLog;
import cifvi.experiments.run.RunDirectory;
import cifvi.vi.MarginalElbo.Bracket;
import java.util.List;

/**
 * Keeps what was evaluated after a run: a line in {@code evaluations.csv} for every estimate, and
 * in {@code result.json} the most exact one.
 */
public record Evaluations(RunDirectory directory) {
  private static final String FILE = "evaluations.csv";

  /** One estimate; components ending in Se are standard errors. */
  public record Row(
      long outer,
      long inner,
      long repeat,
      double auxiliaryElbo,
      double auxiliaryElboSe,
      double marginalElboLower,
      double marginalElboLowerSe,
      double marginalElbo,
      double marginalElboSe,
      double seconds) {
    private Row withSeconds(double seconds) {
      return new Row(
          outer,
          inner,
          repeat,
          auxiliaryElbo,
          auxiliaryElboSe,
          marginalElboLower,
          marginalElboLowerSe,
          marginalElbo,
          marginalElboSe,
          seconds);
    }
  }

  /** Keeps one estimate, once: made again after a kill it is the same but for its time. */
  public Row append(long outer, long inner, long repeat, Bracket bracket, double seconds) {
    var row =
        new Row(
            outer,
            inner,
            repeat,
            bracket.auxiliary().mean(),
            bracket.auxiliary().standardError(),
            bracket.lower().mean(),
            bracket.lower().standardError(),
            bracket.upper().mean(),
            bracket.upper().standardError(),
            seconds);
    if (rows().stream().noneMatch(known -> known.withSeconds(seconds).equals(row))) {
      CsvLog.append(directory.file(FILE), Row.class, row);
    }
    return row;
  }

  /** All estimates made so far. */
  public List<Row> rows() {
    return CsvLog.read(directory.file(FILE), Row.class);
  }

  /**
   * Makes this the marginal ELBO of {@code result.json}, unless the one there is more exact: of
   * more z, or of more paths back from each. (The standard error alone would not do: it knows
   * nothing of the bias that few paths have.)
   *
   * @return what {@code result.json} holds now
   */
  public MogResult update(long outer, long inner, Bracket bracket) {
    MogResult found = MogResult.read(directory);
    if (outer < found.outer() || inner < found.inner()) {
      return found;
    }
    var result = directory.result();
    result.put("marginal_elbo", bracket.upper().mean());
    result.put("marginal_elbo_lower", bracket.lower().mean());
    result.put("marginal_elbo_se", bracket.upper().standardError());
    result.put("outer", outer);
    result.put("inner", inner);
    result.put("effective_modes", found.components() * Math.exp(bracket.upper().mean()));
    directory.writeResult(result);
    return MogResult.read(directory);
  }
}
