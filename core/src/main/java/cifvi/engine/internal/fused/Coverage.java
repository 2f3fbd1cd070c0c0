package cifvi.engine.internal.fused;

import cifvi.engine.internal.fused.memory.Lanes;
import cifvi.engine.internal.plan.UncoveredException;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;

/** Whether the fused engine can train a model on this machine. */
public final class Coverage {
  private Coverage() {}

  /** Why not, if so. */
  public static Optional<String> obstacle(Model model, Objective objective) {
    return ofVectors(FloatVector.SPECIES_PREFERRED.vectorBitSize())
        .or(() -> ofModel(model, objective));
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
  static Optional<String> ofModel(Model model, Objective objective) {
    try {
      return Compiler.plan(model, objective).obstacle();
    } catch (UncoveredException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** How the engine runs a model that nothing speaks against. */
  public static String reason(Model model, Objective objective) {
    return Compiler.plan(model, objective).reason();
  }
}
