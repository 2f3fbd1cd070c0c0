package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.models.MogModel;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounds of small trained models are in order, and what was computed is kept. */
class BoundStudyTest {
  /** A rise of mean zero is further below zero than this many standard errors once in 30,000. */
  private static final double ERRORS = 4;

  private static final BoundRow.Size SIZE = new BoundRow.Size(5000, 400, List.of(1L, 4L, 20L));
  private static final MogExperiment EXPERIMENT = new MogExperiment(MogRunTest.SMALL);

  @TempDir Path folder;

  private Path train(MogSpec spec) {
    Path out = folder.resolve(MogGrid.directory(spec));
    assertThat(Run.startOrResume(EXPERIMENT, spec, out, RunListener.SILENT)).isPresent();
    return out;
  }

  private BoundStudy study() {
    return new BoundStudy(folder, _ -> Progress.SILENT);
  }

  @Test
  void boundsOfTrainedModelsAreInOrder() {
    for (MogSpec spec : BoundStudy.models(150, 1)) {
      Path run = train(spec.with("samples", 200).with("engine", "eager"));
      List<BoundRow> rows = study().bounds(run, SIZE);
      assertThat(rows.stream().map(BoundRow::bound))
          .containsExactly(
              "elbo",
              "iwae:5",
              "iwae:50",
              "log-z",
              "iwhvi:0",
              "iwhvi:1",
              "iwhvi:4",
              "iwhvi:20",
              "eq22:20",
              "eq22:4",
              "eq22:1");
      assertThat(rows).allSatisfy(row -> assertThat(row.errors()).isGreaterThan(-ERRORS));
      assertThat(rows.get(1).errors()).as("IWAE-5 over ELBO").isGreaterThan(ERRORS);
      assertThat(rows.get(3).value()).isZero();
      assertThat(study().bounds(run, new BoundRow.Size(1, 1, List.of(1L)))).isEqualTo(rows);
      assertThat(BoundRow.text(rows)).hasSize(rows.size() + 1);
    }
  }

  /** A trained model whose r is learnt anew, from the start: its slack falls. */
  @Test
  void theSlackOfANewRFalls() {
    MogSpec spec = BoundStudy.trained(100, 1).with("samples", 200).with("engine", "eager");
    Path run = train(spec);
    MogSpec few = BoundStudy.learningR(run, MogModel.R.FLOW, 1);
    MogSpec many = BoundStudy.learningR(run, MogModel.R.FLOW, 150);
    train(few);
    train(many);
    SlackRow first = study().slack(few, "flow", SIZE);
    SlackRow last = study().slack(many, "flow", SIZE);
    assertThat(last.lower()).isLessThan(first.lower() - ERRORS * first.lowerSe());
    assertThat(last.inner()).isEqualTo(20);
    assertThat(last.upper()).isGreaterThan(last.lower() - ERRORS * last.upperSe());
    assertThat(SlackRow.text(List.of(first, last))).hasSize(4);
  }

  @Test
  void gradientsAreTakenAtThreeStates() {
    MogSpec spec = BoundStudy.trained(40, 1).with("samples", 50).with("engine", "eager");
    train(spec);
    train(BoundStudy.earlier(spec));
    List<GradientRow> rows = study().gradients(spec, 3);
    assertThat(rows.stream().map(GradientRow::state).distinct())
        .containsExactly("start", "step 2", "step 40");
    assertThat(rows).hasSize(3 * GradientRow.OBJECTIVES.size());
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.trace()).isPositive();
              assertThat(row.traceWithoutR()).isPositive().isLessThan(row.trace());
            });
    assertThat(rows.stream().map(GradientRow::rows).distinct()).containsExactly(1000L, 200L);
    assertThat(study().gradients(spec, 3)).isEqualTo(rows);
    assertThat(GradientRow.text(rows)).hasSize(rows.size() + 1);
  }
}
