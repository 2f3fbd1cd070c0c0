package cifvi.experiments.mog;

import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.Texts;
import cifvi.experiments.run.UserException;
import cifvi.vi.MarginalElbo.Bracket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps what was evaluated after a run: a line in {@code evaluations.csv}, and the newest values in
 * {@code result.json}.
 */
public record Evaluations(RunDirectory directory) {
  private static final String HEADER =
      "outer,inner,repeat,auxiliary_elbo,auxiliary_elbo_se,marginal_elbo_lower,marginal_elbo_lower_se,"
          + "marginal_elbo,marginal_elbo_se,seconds\n";

  /** Appends one estimate. */
  public void append(long outer, long inner, long repeat, Bracket bracket, double seconds) {
    Path file = directory.file("evaluations.csv");
    String line =
        outer
            + ","
            + inner
            + ","
            + repeat
            + ","
            + bracket.auxiliary().mean()
            + ","
            + bracket.auxiliary().standardError()
            + ","
            + bracket.lower().mean()
            + ","
            + bracket.lower().standardError()
            + ","
            + bracket.upper().mean()
            + ","
            + bracket.upper().standardError()
            + ","
            + seconds
            + "\n";
    try {
      String head = Files.exists(file) ? "" : HEADER;
      Files.writeString(file, head + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + RunDirectory.reason(e), e);
    }
  }

  /** One line: the means of one estimate. */
  public record Line(
      long outer, long inner, long repeat, double auxiliary, double lower, double upper) {
    private static Line parse(String line) {
      String[] cells = line.split(",", -1);
      return new Line(
          Long.parseLong(cells[0]),
          Long.parseLong(cells[1]),
          Long.parseLong(cells[2]),
          Double.parseDouble(cells[3]),
          Double.parseDouble(cells[5]),
          Double.parseDouble(cells[7]));
    }
  }

  /** All estimates made so far. */
  public List<Line> lines() {
    Path file = directory.file("evaluations.csv");
    if (!Files.exists(file)) {
      return List.of();
    }
    try (var lines = Files.lines(file)) {
      return lines.skip(1).map(Line::parse).toList();
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + RunDirectory.reason(e), e);
    }
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
