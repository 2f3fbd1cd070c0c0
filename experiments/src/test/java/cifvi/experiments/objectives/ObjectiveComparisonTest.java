package cifvi.experiments.objectives;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.objectives.ObjectiveComparison.Row;
import cifvi.experiments.objectives.ObjectiveComparison.Task;
import cifvi.experiments.objectives.ObjectiveComparison.Timing;
import cifvi.experiments.run.NamedObjective;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every objective has the time of the ELBO. */
class ObjectiveComparisonTest {
  private static final ObjectiveComparison COMPARISON =
      new ObjectiveComparison(1000, List.of(1L, 4L), 30, null);

  /** The ELBO takes 10 ms, the others 20, 30, …. */
  private static List<Timing> timings(Task task) {
    var timings = new ArrayList<Timing>();
    for (NamedObjective objective : ObjectiveComparison.OBJECTIVES) {
      timings.add(new Timing(task.toString(), objective.toString(), 10.0 * (timings.size() + 1)));
    }
    return timings;
  }

  @Test
  void mixturesHaveAsManyDrawsAStepAndTheSameTime() {
    List<Row> rows = COMPARISON.rows(Task.K16, timings(Task.K16));
    assertThat(rows.stream().map(row -> row.objective().toString()))
        .containsExactly("elbo", "path", "iwae:5", "dreg:5", "iwhvi:4");
    for (Row row : rows) {
      assertThat(row.runs()).hasSize(2);
      var spec = (MogSpec) row.runs().getLast();
      assertThat(spec.seed()).isEqualTo(4);
      assertThat(spec.engine()).isEqualTo("eager");
      assertThat(spec.samples() * spec.objective().rowDraws()).isEqualTo(1000);
      assertThat(spec.steps() * row.ms()).isBetween(9900.0, 10100.0);
      assertThat(COMPARISON.timed(Task.K16, row.objective()).threads()).isEqualTo(1);
    }
  }

  @Test
  void imagesHaveAsManyImagesAStepAndTheSameTime() {
    List<Row> rows = COMPARISON.rows(Task.MNIST, timings(Task.MNIST));
    for (Row row : rows) {
      var spec = (ImagesSpec) row.runs().getFirst();
      assertThat(spec.batch()).isEqualTo(100);
      assertThat(spec.objective()).isEqualTo(row.objective());
      assertThat(spec.epochs() * row.ms()).isBetween(270.0, 330.0);
      assertThat(spec.patience()).as("never stops before").isEqualTo((int) spec.epochs());
    }
  }

  @Test
  void foldersTellRunsApart() {
    var names = new ArrayList<String>();
    for (Task task : Task.values()) {
      COMPARISON.rows(task, timings(task)).stream()
          .flatMap(row -> row.runs().stream())
          .map(ObjectiveComparison::directory)
          .forEach(names::add);
    }
    assertThat(names)
        .doesNotHaveDuplicates()
        .contains(
            "cif-nsf-released-k16-sigmalearn-iwae-5-steps333-seed4", "mnist-elbo-epochs30-seed1")
        .hasSize(15);
  }
}
