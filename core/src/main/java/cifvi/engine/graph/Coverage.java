package cifvi.engine.graph;

import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Optional;

/** Whether hand-written kernels can run a model. */
final class Coverage {
  private Coverage() {}

  /** Why not, if so. */
  static Optional<String> obstacle(Model model, Objective objective) {
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
      var table = ProgramTable.of(compiled.layout(), true);
      LaunchShape.chain(table, compiled.chainOps(), 1);
      LaunchShape.branches(table, compiled.branchOps(), 1);
      return Optional.empty();
    } catch (DeviceCompiler.UncoveredException e) {
      return Optional.ofNullable(e.getMessage());
    }
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
