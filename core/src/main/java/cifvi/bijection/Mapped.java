package cifvi.bijection;

import org.bytedeco.pytorch.Tensor;

/**
 * What a bijection returns: the image and the log-determinant of the derivative.
 *
 * @param value {@code [batch, d]}
 * @param logDet {@code [batch]}
 */
public record Mapped(Tensor value, Tensor logDet) {
  /** For maps that preserve volume. */
  static Mapped volumePreserving(Tensor value) {
    return new Mapped(value, value.new_zeros(value.size(0)));
  }

  /** This map followed by another one that gave {@code next}. */
  Mapped then(Mapped next) {
    return new Mapped(next.value, logDet.add(next.logDet));
  }
}
