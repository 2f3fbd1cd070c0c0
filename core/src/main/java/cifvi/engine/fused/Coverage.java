package cifvi.engine.fused;

import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Optional;
import java.util.stream.Collectors;
import jdk.incubator.vector.FloatVector;

/** Whether the fused engine can train a model on this machine. */
public final class Coverage {
  private Coverage() {}

  /** Why not, if so. */
  public static Optional<String> obstacle(Model model, Objective objective) {
    int bits = FloatVector.SPECIES_PREFERRED.vectorBitSize();
    if (bits < Lanes.SPECIES.vectorBitSize()) {
      return Optional.of("vectors of this processor have %d bits, 256 are needed".formatted(bits));
    }
    Optional<String> unknown = obstacle(objective);
    if (unknown.isPresent()) {
      return unknown;
    }
    try {
      return Compiler.forTraining(model).worthwhile()
          ? Optional.empty()
          : Optional.of("no layer has a kernel that is faster");
    } catch (Compiler.UncoveredException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** Why {@link RowWeights} cannot give the gradient of an objective, if so. */
  private static Optional<String> obstacle(Objective objective) {
    return switch (objective) {
      case Objective.Elbo _, Objective.Iwae _ -> Optional.empty();
    };
  }

  /** How the engine runs a model that nothing speaks against. */
  public static String reason(Model model) {
    String segments =
        Compiler.forTraining(model).segments().stream()
            .map(Segment::what)
            .distinct()
            .collect(Collectors.joining(", "));
    return segments.isEmpty()
        ? "hand-written kernels cover the model"
        : "hand-written kernels; libtorch for " + segments;
  }
}
