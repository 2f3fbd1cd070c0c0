package cifvi.experiments.scoreboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.files.Texts;
import cifvi.experiments.scoreboard.StanFolder.StanPosterior;
import cifvi.experiments.target.KnownAnswers;
import cifvi.experiments.target.KnownAnswers.Moments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScoreTest {
  @TempDir Path folder;

  private static KnownAnswers known() {
    var moments = new LinkedHashMap<String, Moments>();
    moments.put("a", new Moments(1, 2));
    moments.put("b.1", new Moments(0, 1));
    moments.put("constant", new Moments(3, 0));
    return new KnownAnswers(
        OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), moments, List.of());
  }

  @Test
  void errorsAreInStandardDeviationsOfTheReference() throws IOException {
    Path file = folder.resolve("draws.csv");
    Files.writeString(
        file,
        """
        # fitted by hand
        lp__,log_p__,log_g__,a
        0,0,0,0
        0,0,0,6
        """);
    var columns = DrawnColumns.read(file);
    double[] weights = columns.equalWeights();
    WorstErrors errors =
        WorstErrors.of(known(), name -> columns.has(name) ? columns.moments(name, weights) : null);
    assertThat(errors).isEqualTo(new WorstErrors(1, 0.5));
  }

  @Test
  void weightsAreThoseOfPOverQ() throws IOException {
    Path file = folder.resolve("draws.csv");
    Files.writeString(file, "lp__,log_p__,log_g__,a\n0,%s,0,0\n0,0,0,6\n".formatted(Math.log(3)));
    var columns = DrawnColumns.read(file);
    assertThat(columns.moments("a", columns.importanceWeights()).mean())
        .isCloseTo(1.5, within(1e-12));
  }

  /** As the script leaves it; a finished one is not run again, with or without R. */
  @Test
  void readsWhatRstanFound() throws IOException {
    Files.writeString(
        folder.resolve("m.csv"),
        """
        "method","parameter","mean","sd","seconds","gradients"
        "NUTS, defaults","a",2,2,1.5,80000
        "NUTS, defaults","b.1",0,1.25,1.5,80000
        "ADVI mean-field, defaults","a",1,1,0.5,NA
        """);
    var posterior =
        new StanPosterior("m", folder, Optional.empty(), Optional.of(folder), Optional.of(known()));
    List<Score> scores = new RStan(folder).scores(posterior, 1e5, 1);
    assertThat(scores)
        .extracting(Score::method)
        .containsExactly("NUTS, defaults", "ADVI mean-field, defaults");
    assertThat(scores.getFirst().drawn()).isEqualTo(new WorstErrors(0.5, 0.25));
    assertThat(scores.getFirst().gradients()).isEqualTo(80_000);
    assertThat(scores.getLast().gradients()).isNull();
    assertThat(Score.csv(scores).lines().skip(1))
        .first()
        .isEqualTo("m,\"NUTS, defaults\",1,,,,,,,,,0.5,0.25,,,80000.0,1.5,");
  }

  @Test
  void dataForRHasItsFirstIndexFastest() {
    var tree =
        Texts.tree(Texts.JSON, "data", "{\"N\": 2, \"x\": [[1, 2, 3], [4, 5, 6]], \"y\": [7]}");
    assertThat(RData.variables(tree))
        .containsExactly(
            "`N` = 2",
            "`x` = array(c(1, 4, 2, 5, 3, 6), dim = c(2, 3))",
            "`y` = array(c(7), dim = c(1))");
  }
}
