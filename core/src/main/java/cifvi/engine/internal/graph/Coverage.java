package cifvi.engine.internal.graph;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.graph.kernel.ConvolutionShape;
import cifvi.engine.internal.graph.kernel.ConvolutionTile;
import cifvi.engine.internal.graph.kernel.DecoderPass;
import cifvi.engine.internal.graph.kernel.LaunchShape;
import cifvi.engine.internal.graph.program.DeviceCompiler;
import cifvi.engine.internal.graph.program.OpTable;
import cifvi.engine.internal.graph.program.Program;
import cifvi.engine.internal.plan.Plan;
import cifvi.engine.internal.plan.UncoveredException;
import cifvi.nn.FlatParameters;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Optional;

/** Whether hand-written kernels can run a model on a device. */
public final class Coverage {
  private Coverage() {}

  /** Why not, if so. */
  public static Optional<String> obstacle(Model model, Objective objective, DeviceLimits limits) {
    if (model.parameters().backend().precision() != Precision.FLOAT32) {
      return Optional.of(
          "CUDA kernels are float32, the model is " + model.parameters().backend().precision());
    }
    try {
      Plan plan = DeviceCompiler.plan(model, objective);
      var obstacle = plan.obstacle().or(() -> ofBound(plan));
      if (obstacle.isEmpty()) {
        requireRoom(DeviceCompiler.compile(plan, true), plan.parameters(), limits);
      }
      return obstacle;
    } catch (UncoveredException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** Refuses what does not fit on the device even row by row. */
  private static void requireRoom(Program program, FlatParameters flat, DeviceLimits limits) {
    var table = OpTable.of(program.layout(), true);
    LaunchShape.chain(table, program.chainOps(), 1, limits);
    LaunchShape.branches(table, program.branchOps(), 1, limits);
    program
        .decoder()
        .ifPresent(
            segment -> {
              for (var convolution : DecoderPass.convolutions(segment.decoder(), flat)) {
                ConvolutionTile.of(convolution, 0, limits);
                ConvolutionShape.requireRoom(convolution, limits);
              }
            });
  }

  private static Optional<String> ofBound(Plan plan) {
    boolean addsRows = plan.couplesRows() || !plan.pieces().isEmpty();
    return addsRows && !plan.bound().isMean()
        ? Optional.of("importance weights come too late for batch norm and for libtorch")
        : Optional.empty();
  }
}
