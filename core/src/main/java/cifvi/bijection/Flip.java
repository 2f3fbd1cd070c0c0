package cifvi.bijection;

import org.bytedeco.pytorch.Tensor;

/** Reverses the order of the features. */
public record Flip() implements Bijection {
  @Override
  public Mapped forward(Tensor w) {
    return Mapped.volumePreserving(w.flip(1));
  }

  @Override
  public Mapped inverse(Tensor z) {
    return forward(z);
  }
}
