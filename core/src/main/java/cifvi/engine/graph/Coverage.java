package cifvi.engine.graph;

import cifvi.nn.FlatParameters;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Optional;

/** Whether hand-written kernels can run a model on a device. */
final class Coverage {
  private Coverage() {}

  /** Why not, if so. */
  static Optional<String> obstacle(Model model, Objective objective, DeviceLimits limits) {
    if (model.parameters().backend().precision() != Precision.FLOAT32) {
      return Optional.of(
          "CUDA kernels are float32, the model is " + model.parameters().backend().precision());
    }
    try {
      CompiledProgram compiled = DeviceCompiler.compile(model, true);
      if (model.posterior().layers().isEmpty() && compiled.segments()) {
        return Optional.of("without layers, and with a target that libtorch runs, little is left");
      }
      var late = obstacle(compiled, objective);
      if (late.isPresent()) {
        return late;
      }
      requireRoom(compiled, model.parameters().flat(), limits);
      return Optional.empty();
    } catch (DeviceCompiler.UncoveredException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** Refuses what does not fit on the device even row by row. */
  private static void requireRoom(
      CompiledProgram compiled, FlatParameters flat, DeviceLimits limits) {
    var table = ProgramTable.of(compiled.layout(), true);
    LaunchShape.chain(table, compiled.chainOps(), 1, limits);
    LaunchShape.branches(table, compiled.branchOps(), 1, limits);
    compiled
        .decoder()
        .ifPresent(
            segment -> {
              for (var convolution : DecoderPass.convolutions(segment.decoder(), flat)) {
                ConvolutionTile.of(convolution, 0, limits);
              }
            });
  }

  private static Optional<String> obstacle(CompiledProgram compiled, Objective objective) {
    boolean addsRows = !compiled.norms().isEmpty() || compiled.segments();
    return switch (objective) {
      case Objective.Elbo() -> Optional.empty();
      case Objective.Iwae(int k) when k > 1 && addsRows ->
          Optional.of("importance weights come too late for batch norm and for libtorch");
      case Objective.Iwae _ -> Optional.empty();
    };
  }
}
