package cifvi.tensor;

import org.bytedeco.pytorch.Tensor;

/** Noise whose layers are numbered from {@code first} on. */
record BeyondLayers(Rng rng, int first) implements Rng {
  @Override
  public Tensor normal(long rows, long columns) {
    return rng.normal(rows, columns);
  }

  @Override
  public Tensor uniform(long rows, long columns) {
    return rng.uniform(rows, columns);
  }

  @Override
  public Rng layer(int index) {
    return rng.layer(first + index);
  }

  @Override
  public Rng fromRow(long row) {
    return new BeyondLayers(rng.fromRow(row), first);
  }
}
