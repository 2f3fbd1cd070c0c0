package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.MogPicture;
import cifvi.experiments.models.FamilySizes;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.FamilyComparison.Equal;
import cifvi.experiments.mog.FamilyComparison.Timing;
import cifvi.experiments.mog.MogSpec.Flow;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.posterior.Placement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every model of the mixture experiment as a run, and families side by side. */
class FamilyRunTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void everyModelRunsAndIsDrawn(Flow model) {
    MogSpec spec = small(model, 1);
    var experiment = new MogExperiment(MogRunTest.SMALL);
    MogResult result =
        Run.start(experiment, spec, folder.resolve("run"), RunListener.SILENT).orElseThrow();
    assertThat(result.model()).isEqualTo(model.toString());
    assertThat(List.of(result.elbo(), result.marginalElboLower(), result.marginalElbo()))
        .allMatch(Double::isFinite);
    var directory = RunDirectory.read(folder.resolve("run"));
    assertThat(MogSpec.read(directory).sizes()).isEqualTo(spec.sizes());
    try (var trained = Run.load(experiment, directory, null, RunListener.SILENT)) {
      var passage = new MogPicture(trained.model(), 1, Frame.ofMixture(9)).passage();
      assertThat(passage.z().count()).isEqualTo(MogPicture.PASSAGE_DRAWS);
      assertThat(passage.indices()).hasSize(model == Flow.CIF_NSF ? 5 : model.cif() ? 10 : 0);
    }
  }

  private static MogSpec small(Flow model, long seed) {
    FamilySizes sizes =
        switch (model) {
          case HVM -> FamilySizes.parse("layers=3,index=4");
          case SIVI -> FamilySizes.parse("extra=3");
          case HVI -> FamilySizes.parse("leaps=1, layers=2");
          default -> null;
        };
    MogSpec spec = MogSpec.paper(model, Placement.PAPER, 9, Sigma0.parse("1"), 2, seed);
    return new MogSpec(
        spec.kind(),
        model,
        9,
        spec.sigma0(),
        3,
        spec.placement(),
        2,
        20,
        1e-3,
        spec.lrSchedule(),
        spec.average(),
        5,
        null,
        sizes,
        MogModel.R.NORMAL,
        NamedObjective.ELBO,
        null,
        seed,
        1,
        spec.precision(),
        "auto",
        "cpu",
        false);
  }

  @Test
  void sizesAreThoseOfTheFamily() {
    assertThat(FamilySizes.parse("layers=2,hidden=64")).hasToString("hidden=64,layers=2");
    for (String wrong : List.of("", "hidden", "hidden=0", "width=3", "hidden=3,", "hidden=2.5")) {
      assertThatThrownBy(() -> FamilySizes.parse(wrong))
          .hasMessage(
              "--sizes: expected NAME=NUMBER,… of hidden, index, layers, extra, leaps from 1 to"
                  + " 100000, got "
                  + wrong);
    }
    String yaml = small(Flow.HVI, 1).yaml();
    assertThatThrownBy(() -> MogSpec.parse(yaml.replace("leaps", "extra")))
        .hasMessageContaining("spec.yaml: sizes: hvi has no extra, but [hidden, layers, leaps]");
    assertThatThrownBy(() -> MogSpec.parse(small(Flow.SIVI, 1).yaml().replace("1.0", "2.0")))
        .hasMessageContaining("spec.yaml: sigma0: the noise of sivi is a standard normal, got 2");
  }

  @Test
  void stepsFollowFromTimeAndEvaluations() {
    var timings = new ArrayList<Timing>();
    for (int components : FamilyComparison.COMPONENTS) {
      timings.add(new Timing(components, Flow.CIF_NSF, 20));
      timings.add(new Timing(components, Flow.HVM, 5));
      timings.add(new Timing(components, Flow.SIVI, 40));
      timings.add(new Timing(components, Flow.HVI, 10));
    }
    var rows = new FamilyComparison(1000, 2).rows(timings);
    assertThat(rows).hasSize(16).allMatch(row -> row.runs().size() == 2);
    assertThat(steps(rows, Equal.TIME)).containsExactly(1000L, 4000L, 500L, 2000L);
    long hvi = Math.round(1000.0 * 1000 / hvi(rows).evaluations());
    assertThat(hvi).isLessThan(250);
    assertThat(steps(rows, Equal.EVALUATIONS)).containsExactly(1000L, 1000L, 5000L, hvi);

    var results = new HashMap<MogSpec, MogResult>();
    rows.stream()
        .flatMap(row -> row.runs().stream())
        .forEach(run -> results.put(run, result(run, -0.1 * run.seed())));
    var table = new FamilyTable(rows, timings, results);
    assertThat(table.text().get(2))
        .startsWith("time          9  hvm         4000     5.00          4.0")
        .contains("-0.150 ± 0.050");
    assertThat(table.csv().lines().skip(1).findFirst().orElseThrow())
        .startsWith("time,9,cif-nsf,1000,20.0,1000000,7,2,-0.15000000000000002,");
    assertThat(table.middle(rows.getFirst()).seed()).isEqualTo(1);
  }

  private static List<Long> steps(List<FamilyComparison.Row> rows, Equal equal) {
    return rows.stream()
        .filter(row -> row.equal() == equal && row.firstSeed().components() == 16)
        .map(row -> row.firstSeed().steps())
        .toList();
  }

  private static MogSpec hvi(List<FamilyComparison.Row> rows) {
    return rows.stream()
        .map(FamilyComparison.Row::firstSeed)
        .filter(spec -> spec.model() == Flow.HVI)
        .findFirst()
        .orElseThrow();
  }

  private static MogResult result(MogSpec spec, double elbo) {
    return new MogResult(
        MogSpec.KIND,
        spec.model().toString(),
        spec.seed(),
        spec.steps(),
        7,
        "eager",
        "cpu",
        1,
        1,
        spec.components(),
        spec.sigma0(),
        3,
        "paper",
        0,
        elbo,
        0.01,
        elbo,
        elbo,
        elbo,
        0.01,
        10,
        10,
        0,
        0.01,
        9,
        0,
        9);
  }
}
