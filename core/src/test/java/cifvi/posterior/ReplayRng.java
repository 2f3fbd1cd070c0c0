package cifvi.posterior;

import cifvi.tensor.Rng;
import cifvi.tensor.Shapes;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** Noise that was chosen beforehand, one tensor a layer. */
record ReplayRng(Map<Integer, Tensor> noise, @Nullable Tensor here) implements Rng {
  ReplayRng(Map<Integer, Tensor> noise) {
    this(noise, null);
  }

  @Override
  public Tensor normal(long rows, long columns) {
    if (here == null) {
      throw new IllegalStateException("no noise was recorded for this address");
    }
    Shapes.require("noise", here, rows, columns);
    return here;
  }

  @Override
  public Tensor uniform(long rows, long columns) {
    throw new UnsupportedOperationException("only normal noise is replayed");
  }

  @Override
  public Rng layer(int index) {
    return new ReplayRng(noise, noise.get(index));
  }

  @Override
  public Rng fromRow(long row) {
    throw new UnsupportedOperationException("all rows are replayed at once");
  }
}
