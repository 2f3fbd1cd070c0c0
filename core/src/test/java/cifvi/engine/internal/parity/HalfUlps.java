package cifvi.engine.internal.parity;

import cifvi.tensor.Rng;
import cifvi.vi.Model;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;

/**
 * Moves numbers by half a unit in the last place of float32, up or down at random: as far as
 * rounding them can.
 */
final class HalfUlps {
  private static final double RELATIVE = 0x1p-24;

  private final SplittableRandom signs;

  HalfUlps(long seed) {
    signs = new SplittableRandom(seed);
  }

  /** x (1 ± 2⁻²⁴), of the same shape. */
  Tensor move(Tensor x) {
    return x.mul(factors(Math.toIntExact(x.numel())).view(x.sizes()));
  }

  /** Moves a number in the forward pass, its gradient in the backward pass. */
  Tensor both(Tensor x) {
    Tensor value = x.detach();
    return move(value).add(move(x.sub(value)));
  }

  /** x ± 2⁻²⁴ size; the gradient of x stays as it is. */
  Tensor shift(Tensor x, Tensor size) {
    return x.add(move(size.detach()).sub(size.detach()));
  }

  /** All parameters of a model, in place. */
  void move(Model model) {
    var flat = model.parameters().flat();
    flat.update(() -> flat.values().mul_(factors(Math.toIntExact(flat.size()))));
  }

  /** Noise that is the same whenever it is asked for, as {@link Rng} demands. */
  Rng move(Rng noise) {
    return new Moved(noise, signs.nextLong());
  }

  private Tensor factors(int count) {
    double[] factors = new double[count];
    for (int i = 0; i < count; i++) {
      factors[i] = factor();
    }
    return Twins.FLOAT64.tensor(factors, count);
  }

  private double factor() {
    return signs.nextBoolean() ? 1 + RELATIVE : 1 - RELATIVE;
  }

  private record Moved(Rng noise, long seed) implements Rng {
    @Override
    public Tensor normal(long rows, long columns) {
      return new HalfUlps(seed).move(noise.normal(rows, columns));
    }

    @Override
    public Tensor uniform(long rows, long columns) {
      return new HalfUlps(seed).move(noise.uniform(rows, columns));
    }

    @Override
    public Rng layer(int index) {
      return new Moved(noise.layer(index), seed + index + 1);
    }

    @Override
    public Rng fromRow(long row) {
      return new Moved(noise.fromRow(row), seed);
    }
  }
}
