package cifvi.tensor;

import org.bytedeco.pytorch.Tensor;

/**
 * A source of noise at one address. Asking twice gives the same numbers: whoever needs other
 * numbers moves to another address, here to that of a layer. Always the last argument, never
 * ambient.
 */
public interface Rng {
  /** Independent standard normals, a tensor {@code [rows, columns]} of the caller's scope. */
  Tensor normal(long rows, long columns);

  /** Independent uniforms on (0, 1), a tensor {@code [rows, columns]} of the caller's scope. */
  Tensor uniform(long rows, long columns);

  /** The noise of the layer with this index; the base distribution uses the address itself. */
  Rng layer(int index);

  /** The same noise from global row {@code row} on: chunks of one computation see one stream. */
  Rng fromRow(long row);

  /**
   * The same noise, of whose layers the first {@code layers} are left to others: for what is drawn
   * inside a layer, or after all of them.
   */
  default Rng beyond(int layers) {
    return new BeyondLayers(this, layers);
  }
}
