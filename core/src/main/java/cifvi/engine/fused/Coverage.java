package cifvi.engine.fused;

import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;

/** Whether the fused engine can run a model on this machine. */
public final class Coverage {
  private Coverage() {}

  /** Why not, if so. */
  public static Optional<String> obstacle(Model model, Objective objective) {
    int bits = FloatVector.SPECIES_PREFERRED.vectorBitSize();
    if (bits < Lanes.SPECIES.vectorBitSize()) {
      return Optional.of("vectors of this processor have %d bits, 256 are needed".formatted(bits));
    }
    if (!(objective instanceof Objective.Elbo)) {
      return Optional.of("objective " + objective.getClass().getSimpleName() + " has no kernel");
    }
    try {
      Compiler.compile(model);
      return Optional.empty();
    } catch (Compiler.UncoveredException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }
}
