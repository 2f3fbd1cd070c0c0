package cifvi.bijection;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * g = gₙ ∘ … ∘ g₁: the parts in the order in which they are applied. The empty chain is the
 * identity.
 */
public record Chain(List<Bijection> parts) implements Bijection {
  public static final Chain IDENTITY = new Chain(List.of());

  public Chain {
    parts = List.copyOf(parts);
  }

  public static Chain of(Bijection... parts) {
    return new Chain(List.of(parts));
  }

  @Override
  public Mapped forward(Tensor w) {
    if (parts.isEmpty()) {
      return Mapped.volumePreserving(w);
    }
    Mapped mapped = parts.getFirst().forward(w);
    for (Bijection part : parts.subList(1, parts.size())) {
      mapped = mapped.then(part.forward(mapped.value()));
    }
    return mapped;
  }

  @Override
  public Mapped inverse(Tensor z) {
    if (parts.isEmpty()) {
      return Mapped.volumePreserving(z);
    }
    Mapped mapped = parts.getLast().inverse(z);
    for (Bijection part : parts.subList(0, parts.size() - 1).reversed()) {
      mapped = mapped.then(part.inverse(mapped.value()));
    }
    return mapped;
  }
}
