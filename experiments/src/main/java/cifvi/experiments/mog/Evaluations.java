package cifvi.experiments.mog;

import cifvi.experiments.run.CsvLog;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.Texts;
import cifvi.experiments.run.UserException;
import cifvi.vi.MarginalElbo.Bracket;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

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
    CsvLog.append(directory.file(FILE), row);
    return row;
  }

  /** All estimates made so far. */
  public List<Row> rows() {
    return CsvLog.read(directory.file(FILE), Row.class);
  }

  /** Makes this the marginal ELBO of {@code result.json}. */
  public void update(long outer, long inner, Bracket bracket) {
    try {
      var result = (ObjectNode) Texts.JSON.readTree(directory.read("result.json"));
      result.put("marginal_elbo", bracket.upper().mean());
      result.put("marginal_elbo_lower", bracket.lower().mean());
      result.put("marginal_elbo_se", bracket.upper().standardError());
      result.put("outer", outer);
      result.put("inner", inner);
      result.put(
          "effective_modes", result.path("components").asInt() * Math.exp(bracket.upper().mean()));
      directory.write("result.json", Texts.JSON.writeValueAsString(result) + "\n");
    } catch (JacksonException e) {
      throw new UserException(directory.file("result.json") + ": " + e.getOriginalMessage(), e);
    }
  }
}
