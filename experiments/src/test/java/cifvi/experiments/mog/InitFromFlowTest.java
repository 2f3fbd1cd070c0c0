package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.models.MogModel;
import cifvi.experiments.models.Placement;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.UserException;
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

  @Test
  void startsFromFlowsOnly() {
    var cif = MogRunTest.spec(MogSpec.Flow.CIF_NSF, Placement.PAPER, MogSpec.Average.NONE);
    var size = new MogRun.EvaluationSize(100, 20, 2, 100);
    Path trained = folder.resolve("cif");
    assertThat(MogRun.start(cif, trained, RunListener.SILENT, size)).isPresent();
    var from =
        new MogSpec(
            MogSpec.KIND,
            MogSpec.Flow.CIF_NSF,
            9,
            Sigma0.parse("1"),
            3,
            Placement.PAPER,
            5,
            20,
            1e-3,
            MogSpec.LrSchedule.CONSTANT,
            MogSpec.Average.NONE,
            5,
            trained.toString(),
            1,
            1,
            Precision.FLOAT32,
            "eager",
            "cpu",
            false);
    assertThatThrownBy(() -> MogRun.start(from, folder.resolve("b"), RunListener.SILENT, size))
        .isInstanceOf(UserException.class)
        .hasMessage("--init-from: expected a run of model nsf, got cif-nsf");
  }
}
