package cifvi.experiments.mog;

import cifvi.experiments.run.CsvLog;
import cifvi.experiments.run.RunDirectory;
import cifvi.vi.MarginalElbo.Bracket;
import java.util.List;

/**
 * Keeps what was evaluated after a run: a line in {@code evaluations.csv}, and the newest values in
 * {@code result.json}.
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
      double seconds) {}

  /** Keeps one estimate. */
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
    CsvLog.append(directory.file(FILE), Row.class, row);
    return row;
  }

  /** All estimates made so far. */
  public List<Row> rows() {
    return CsvLog.read(directory.file(FILE), Row.class);
  }

  /** Makes this the marginal ELBO of {@code result.json}. */
  public void update(long outer, long inner, Bracket bracket) {
    var result = directory.result();
    int components = MogResult.read(directory).components();
    result.put("marginal_elbo", bracket.upper().mean());
    result.put("marginal_elbo_lower", bracket.lower().mean());
    result.put("marginal_elbo_se", bracket.upper().standardError());
    result.put("outer", outer);
    result.put("inner", inner);
    result.put("effective_modes", components * Math.exp(bracket.upper().mean()));
    directory.writeResult(result);
  }
}
