package cifvi.experiments.objectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.objectives.ObjectiveComparison.Row;
import cifvi.experiments.objectives.ObjectiveComparison.Task;
import cifvi.experiments.objectives.ObjectiveComparison.Timing;
import cifvi.experiments.run.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What finished runs come to, from made-up ones. */
class ObjectiveTableTest {
  private static final ObjectiveComparison COMPARISON =
      new ObjectiveComparison(100, List.of(1L, 2L), 4, null);

  @TempDir Path folder;

  private static List<Row> rows(Task task) {
    return COMPARISON.rows(
        task,
        ObjectiveComparison.OBJECTIVES.stream()
            .map(objective -> new Timing(task.toString(), objective.toString(), 10))
            .toList());
  }

  private Path folder(RunSpec run) throws IOException {
    Path path = folder.resolve(ObjectiveComparison.directory(run));
    Files.createDirectories(path.resolve("likelihoods"));
    Files.writeString(path.resolve("spec.yaml"), run.yaml());
    return path;
  }

  /** Objective number i is i hundredths ahead with seed 1, and three times as much with seed 2. */
  @Test
  void mixturesAreComparedSeedBySeed() throws IOException {
    List<Row> rows = rows(Task.K16);
    for (int i = 0; i < rows.size(); i++) {
      for (RunSpec run : rows.get(i).runs()) {
        double marginal = -run.seed() + 0.01 * i * (run.seed() == 1 ? 1 : 3);
        Files.writeString(folder(run).resolve("result.json"), mixture((MogSpec) run, marginal));
      }
    }
    var lines = new ObjectiveTable(folder, rows).lines();
    assertThat(lines).hasSize(5);
    var third = lines.get(2);
    assertThat(third.objective()).isEqualTo("iwae:5");
    assertThat(third.steps()).isEqualTo(100);
    assertThat(third.likelihood()).isCloseTo(-1.5 + 0.04, within(1e-12));
    assertThat(third.bound()).isCloseTo(-1.5 + 0.04 - 0.5, within(1e-12));
    assertThat(third.ahead()).isCloseTo(0.04, within(1e-12));
    assertThat(third.aheadSe()).isCloseTo(0.02, within(1e-12));
    assertThat(ObjectiveTable.csv(lines).lines()).hasSize(6);
    assertThat(ObjectiveTable.text(lines)).hasSize(6);
  }

  /** On the first image by 2, on the second by 4. */
  @Test
  void imagesAreComparedImageByImage() throws IOException {
    List<Row> rows = rows(Task.MNIST);
    for (int i = 0; i < rows.size(); i++) {
      var run = (ImagesSpec) rows.get(i).runs().getFirst();
      Path path = folder(run);
      Files.writeString(path.resolve("result.json"), images(-100 + 3.0 * i));
      Files.writeString(
          path.resolve("likelihoods/fresh-S100-0.csv"),
          "image,log_likelihood,elbo\n0,%s,-120\n1,%s,-110\n".formatted(-90 + 2 * i, -110 + 4 * i));
    }
    var last = new ObjectiveTable(folder, rows).lines().getLast();
    assertThat(last.likelihood()).isEqualTo(-88);
    assertThat(last.ahead()).isEqualTo(12);
    assertThat(last.aheadSe()).isEqualTo(4);
  }

  private static String mixture(MogSpec spec, double marginal) {
    return """
        {"kind":"mog","model":"cif-nsf","seed":%d,"steps":%d,"parameters":1,"engine":"eager",
        "device":"cpu","seconds":1,"ms_per_step":1,"components":16,"sigma0":"learn","tail_bound":3,
        "placement":"released","skipped_steps":0,"elbo":%s,"elbo_se":0.1,"elbo_last_2000":-1,
        "marginal_elbo":%s,"marginal_elbo_lower":-1,"marginal_elbo_se":0.1,"outer":1,"inner":1,
        "log_z":0,"log_z_se":0.1,"modes_covered":16,"off_mode_mass":0,"effective_modes":16}
        """
        .formatted(spec.seed(), spec.steps(), marginal - 0.5, marginal);
  }

  private static String images(double logLikelihood) {
    return """
        {"kind":"images","model":"cif-nsf","seed":1,"steps":432,"epochs":4,"parameters":1,
        "engine":"eager","device":"cpu","seconds":1,"ms_per_step":1,"data":"mnist",
        "decoder":"small","placement":"released","nets":"released","train_images":10800,
        "skipped_steps":0,"best_epoch":4,"valid_elbo_best":-1,"elbo":-120,"elbo_se":1,
        "test_images":2,"log_likelihood":%s,"log_likelihood_se":1,"importance_samples":100}
        """
        .formatted(logLikelihood);
  }
}
