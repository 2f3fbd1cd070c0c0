package cifvi.engine.graph;

import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;

/** The noise of one step or evaluation, written to where a program reads it. */
@FunctionalInterface
interface Noise {
  /** The stream of the base; that of layer i is i + 1. */
  int BASE_STREAM = 0;

  /** Fills {@code out}, {@code [rows, columns]}, with the standard normals of a stream. */
  void fill(int stream, Tensor out);

  /** The noise of any generator; one of the device writes it in place. */
  static Noise of(Rng rng) {
    return (stream, out) -> {
      Rng own = stream == BASE_STREAM ? rng : rng.layer(stream - 1);
      if (own instanceof DeviceRng device) {
        device.fill(out);
      } else {
        out.copy_(own.normal(out.size(0), out.size(1)));
      }
    };
  }
}
