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
    return ofVectors(FloatVector.SPECIES_PREFERRED.vectorBitSize())
        .or(() -> ofObjective(objective))
        .or(() -> ofModel(model));
  }

  /** Of a processor whose vectors have so many bits. */
  static Optional<String> ofVectors(int bits) {
    int needed = Lanes.SPECIES.vectorBitSize();
    return bits >= needed
        ? Optional.empty()
        : Optional.of(
            "vectors of this processor have %d bits, %d are needed".formatted(bits, needed));
  }

  /** Of a model, on any processor. */
  static Optional<String> ofModel(Model model) {
    try {
      return Compiler.forTraining(model).worthwhile()
          ? Optional.empty()
          : Optional.of("no layer has a kernel that is faster");
    } catch (Compiler.UncoveredException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** Why {@link RowWeights} cannot give the gradient of an objective, if so. */
  private static Optional<String> ofObjective(Objective objective) {
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
