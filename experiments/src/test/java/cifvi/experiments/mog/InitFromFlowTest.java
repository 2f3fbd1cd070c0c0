package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.engine.Engines;
import cifvi.experiments.files.UserException;
import cifvi.experiments.models.MogModel;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A CIF started from a flow is that flow, to the last digit (Prop. 3.1). */
class InitFromFlowTest {
  private static final MogExperiment.EvaluationSize SIZE =
      new MogExperiment.EvaluationSize(100, 20, 2, 100);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void beginsExactlyWhereTheFlowEnded(Placement placement) {
    var backend = Backend.cpu(Precision.FLOAT32);
    try (var flow = MogModel.paper(false, placement).build(backend, 1);
        var cif = MogModel.paper(true, placement).build(backend, 2)) {
      InitFromFlow.apply(cif.parameters(), placement, flow.parameters().state());
      double ofFlow = new MogEvaluation(flow, 3).elbo(1000, Progress.SILENT).mean();
      double ofCif = new MogEvaluation(cif, 3).elbo(1000, Progress.SILENT).mean();
      assertThat(ofCif).isEqualTo(ofFlow);
    }
  }

  /** The fused engine has compiled its kernels before the flow is loaded. */
  @Test
  void everyEngineBeginsThere() {
    assumeTrue(Engines.vectorBits().orElse(0) >= 256, "kernels need vectors of 256 bits");
    var flow = MogRunTest.spec(MogSpec.Flow.NSF, Placement.PAPER, MogSpec.Average.NONE);
    Path trained = folder.resolve("nsf");
    assertThat(Run.start(new MogExperiment(SIZE), flow, trained, RunListener.SILENT)).isPresent();
    assertThat(firstElbo(trained, "fused")).isCloseTo(firstElbo(trained, "eager"), within(1e-4));
  }

  private double firstElbo(Path trained, String engine) {
    Path out = folder.resolve(engine);
    assertThat(Run.start(new MogExperiment(SIZE), from(trained, engine), out, RunListener.SILENT))
        .isPresent();
    return StepRow.read(RunDirectory.read(out)).getFirst().elbo();
  }

  @Test
  void startsFromFlowsOnly() {
    var cif = MogRunTest.spec(MogSpec.Flow.CIF_NSF, Placement.PAPER, MogSpec.Average.NONE);
    Path trained = folder.resolve("cif");
    assertThat(Run.start(new MogExperiment(SIZE), cif, trained, RunListener.SILENT)).isPresent();
    var from = from(trained, "eager");
    assertThatThrownBy(
            () -> Run.start(new MogExperiment(SIZE), from, folder.resolve("b"), RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessage("--init-from: expected a run of model nsf, got cif-nsf");
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
        MogSpec.LrSchedule.CONSTANT,
        MogSpec.Average.NONE,
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
