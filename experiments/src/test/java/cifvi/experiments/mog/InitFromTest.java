package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.engine.Engines;
import cifvi.experiments.files.UserException;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.LrSchedule;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.StepRow;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A CIF started from a flow is that flow, to the last digit (Prop. 3.1). */
class InitFromTest {
  private static final MogExperiment.EvaluationSize SIZE =
      new MogExperiment.EvaluationSize(100, 20, 2, 100);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void beginsExactlyWhereTheFlowEnded(Placement placement) {
    var backend = Backend.cpu(Precision.FLOAT32);
    try (var flow = MogModel.paper(false, placement).build(backend, 1);
        var cif = MogModel.paper(true, placement).build(backend, 2)) {
      InitFrom.neutral(cif.parameters(), placement, flow.parameters().state());
      double ofFlow = new MogEvaluation(flow, 3).elbo(1000, Progress.SILENT).mean();
      double ofCif = new MogEvaluation(cif, 3).elbo(1000, Progress.SILENT).mean();
      assertThat(ofCif).isEqualTo(ofFlow);
    }
  }

  /** The fused engine has compiled its kernels before the flow is loaded. */
  @Test
  void everyEngineBeginsThere() {
    assumeTrue(Engines.vectorBits().orElse(0) >= 256, "kernels need vectors of 256 bits");
    Path trained = trained(MogSpec.Flow.NSF, Placement.PAPER);
    assertThat(firstElbo(from(trained, "fused"), "a"))
        .isCloseTo(firstElbo(from(trained, "eager"), "b"), within(1e-4));
  }

  private double firstElbo(MogSpec spec, String name) {
    Path out = folder.resolve(name);
    assertThat(Run.start(new MogExperiment(SIZE), spec, out, RunListener.SILENT)).isPresent();
    return StepRow.read(RunDirectory.read(out)).getFirst().elbo();
  }

  /** In training: the first bound of the CIF is that of the flow which goes on instead. */
  @ParameterizedTest
  @EnumSource
  void theFirstBoundIsThatOfTheFlow(Placement placement) {
    Path trained = trained(MogSpec.Flow.NSF, placement);
    for (String engine : engines()) {
      var cif = from(trained, engine).with("placement", placement);
      double ofCif = firstElbo(cif, "cif-" + engine);
      double ofFlow = firstElbo(cif.with("model", MogSpec.Flow.NSF), "flow-" + engine);
      assertThat(ofCif).as(engine).isEqualTo(ofFlow);
    }
  }

  private static List<String> engines() {
    return Engines.vectorBits().orElse(0) >= 256 ? List.of("eager", "fused") : List.of("eager");
  }

  /** A CIF with an r of its own begins with the q of another, and keeps it if r learns alone. */
  @Test
  void rIsLearntForATrainedCif() {
    Path trained = trained(MogSpec.Flow.CIF_NSF, Placement.PAPER);
    var spec =
        from(trained, "eager")
            .with("r", MogModel.R.FLOW)
            .with("objective", NamedObjective.parse("r"));
    Path out = folder.resolve("r");
    assertThat(Run.start(new MogExperiment(SIZE), spec, out, RunListener.SILENT)).isPresent();
    try (var before = load(trained);
        var after = load(out);
        var _ = new PointerScope()) {
      var state = after.model().parameters().state();
      before
          .model()
          .parameters()
          .state()
          .forEach(
              (name, tensor) -> {
                if (!name.contains(".r.")) {
                  assertThat(Backend.doubles(Objects.requireNonNull(state.get(name))))
                      .as(name)
                      .isEqualTo(Backend.doubles(tensor));
                }
              });
    }
  }

  private Run.Trained<MogSpec> load(Path path) {
    return Run.load(new MogExperiment(SIZE), RunDirectory.read(path), "cpu", RunListener.SILENT);
  }

  private Path trained(MogSpec.Flow model, Placement placement) {
    Path trained = folder.resolve(model.toString());
    var spec = MogRunTest.spec(model, placement, Average.NONE);
    assertThat(Run.start(new MogExperiment(SIZE), spec, trained, RunListener.SILENT)).isPresent();
    return trained;
  }

  @Test
  void othersAreRefused() {
    Path cif = trained(MogSpec.Flow.CIF_NSF, Placement.PAPER);
    Path flow = trained(MogSpec.Flow.NSF, Placement.PAPER);
    refused(
        from(cif, "eager").with("model", MogSpec.Flow.NSF),
        "--init-from: expected a run of model nsf, got cif-nsf");
    refused(
        from(cif, "eager").with("placement", Placement.RELEASED),
        "--placement: that of the run in --init-from is paper, got released");
    refused(
        from(flow, "eager").with("tail_bound", 5),
        "--tail-bound: that of the run in --init-from is 3.0, got 5.0");
    refused(
        from(flow, "eager").with("sigma0", new Sigma0(2, false)),
        "--sigma0: that of the run in --init-from is learn, got 2");
    refused(
        from(flow, "eager").with("r", MogModel.R.FLOW),
        "--r: a CIF that starts from a flow has a normal, got flow");
    refused(
        from(flow, "eager").with("objective", NamedObjective.parse("r")),
        "--objective: r is learnt alone in mog --model cif-nsf --init-from a run of cif-nsf");
  }

  private void refused(MogSpec spec, String message) {
    assertThatThrownBy(
            () -> Run.start(new MogExperiment(SIZE), spec, folder.resolve("b"), RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessage(message);
  }

  /** A CIF that starts from a run, with another seed and so with other permutations. */
  private static MogSpec from(Path trained, String engine) {
    return new MogSpec(
        MogSpec.KIND,
        MogSpec.Flow.CIF_NSF,
        9,
        Sigma0.parse("learn"),
        3,
        Placement.PAPER,
        5,
        200,
        1e-3,
        LrSchedule.CONSTANT,
        Average.NONE,
        5,
        trained.toString(),
        null,
        MogModel.R.NORMAL,
        NamedObjective.ELBO,
        null,
        1,
        1,
        Precision.FLOAT32,
        engine,
        "cpu",
        false);
  }
}
