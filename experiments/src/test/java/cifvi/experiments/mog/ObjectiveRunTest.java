package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.experiments.mog.MogSpec.Flow;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.StepRow;
import cifvi.posterior.Placement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mixture runs with every objective and every r. */
class ObjectiveRunTest {
  @TempDir Path folder;

  private static MogSpec spec(Flow model) {
    return MogSpec.paper(model, Placement.PAPER, 9, Sigma0.parse("1"), 4, 3).with("samples", 20);
  }

  private List<StepRow> steps(MogSpec spec, String name) {
    Path out = folder.resolve(name);
    assertThat(Run.start(new MogExperiment(MogRunTest.SMALL), spec, out, RunListener.SILENT))
        .isPresent();
    return StepRow.read(RunDirectory.read(out));
  }

  @ParameterizedTest
  @CsvSource({
    "cif-nsf, iwae:3",
    "cif-nsf, dreg:3",
    "cif-nsf, iwhvi:2",
    "hvm, iwae:3",
    "hvm, dreg:3",
    "hvm, iwhvi:2",
    "sivi, iwae:3",
    "sivi, iwhvi:2",
    "hvi, iwae:3",
    "hvi, dreg:3",
    "nsf, path",
    "nsf, dreg:3"
  })
  void everyFamilyHasThem(String model, String objective) {
    Flow flow =
        List.of(Flow.values()).stream()
            .filter(f -> f.toString().equals(model))
            .findAny()
            .orElseThrow();
    var rows = steps(spec(flow).with("objective", objective), "run");
    assertThat(rows).hasSize(4).allMatch(row -> Double.isFinite(row.elbo()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mixture", "flow"})
  void rIsChosen(String r) {
    assertThat(steps(spec(Flow.CIF_NSF).with("r", r), r)).allMatch(row -> row.gradNorm() > 0);
  }

  /** The first step weighs log p by a third, the third step and those after it by one. */
  @Test
  void aRunIsWarmedUpAndGoesOnTheSame() throws Exception {
    MogSpec warmed = spec(Flow.CIF_NSF).with("objective", "dreg:2").with("warm_up", 3);
    var whole = steps(warmed, "whole");
    assertThat(whole.getFirst().elbo())
        .isNotEqualTo(steps(warmed.with("warm_up", null), "cold").getFirst().elbo());
    var experiment = new MogExperiment(MogRunTest.SMALL);
    Path parts = folder.resolve("parts");
    var stop =
        new RunListener() {
          @Override
          public boolean step(long done, long of, double elbo) {
            return done < 2;
          }
        };
    assertThat(Run.start(experiment, warmed, parts, stop)).isEmpty();
    assertThat(Run.resume(experiment, parts, Continuation.PLAIN, RunListener.SILENT)).isPresent();
    assertThat(Files.readAllBytes(parts.resolve("checkpoints/latest.safetensors")))
        .isEqualTo(Files.readAllBytes(folder.resolve("whole/checkpoints/latest.safetensors")));
  }

  @Test
  void whatCannotBeIsRefused() {
    MogSpec cif = spec(Flow.CIF_NSF);
    assertThatThrownBy(() -> cif.with("r", "mixture").with("objective", "iwhvi:3"))
        .hasMessageContaining("those of a mixture carry no gradient");
    assertThatThrownBy(() -> spec(Flow.NSF).with("r", "flow"))
        .hasMessageContaining("--r: is that of a CIF, got model nsf");
    assertThatThrownBy(() -> spec(Flow.SIVI).with("objective", "dreg:3"))
        .hasMessageContaining("--objective: sivi has no doubly reparametrised gradient");
    assertThatThrownBy(() -> cif.with("warm_up", 0))
        .hasRootCauseInstanceOf(UserException.class)
        .hasMessageContaining("--warm-up: expected at least 1, got 0");
  }
}
