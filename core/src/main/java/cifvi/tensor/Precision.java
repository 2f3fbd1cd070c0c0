package cifvi.tensor;

import java.util.Arrays;
import java.util.Locale;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** The number type of a computation: float32 for work, float64 for checking it. */
public enum Precision {
  FLOAT32(ScalarType.Float, 4),
  FLOAT64(ScalarType.Double, 8);

  private final ScalarType scalarType;
  private final int bytes;

  Precision(ScalarType scalarType, int bytes) {
    this.scalarType = scalarType;
    this.bytes = bytes;
  }

  public ScalarType scalarType() {
    return scalarType;
  }

  public int bytes() {
    return bytes;
  }

  /** The precision of a tensor's elements. */
  public static Precision of(Tensor tensor) {
    ScalarType type = tensor.scalar_type().intern();
    return Arrays.stream(values())
        .filter(p -> p.scalarType == type)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("dtype: expected float32 or float64, got " + type));
  }

  /** Reads {@code float32} or {@code float64}. */
  public static Precision parse(String name) {
    return Arrays.stream(values())
        .filter(p -> p.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "precision: expected float32 or float64, got " + name));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
