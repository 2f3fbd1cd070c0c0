package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.distribution.DataRows;
import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.nn.FlatParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/** {@link DataRows}: w₀ is the observed row, which adds nothing to the log-weight. */
public final class DataRowsKernel implements Kernel {
  private final DataRows base;
  public final Layout.Var out;

  /** The rows of x, one after the other; longer than these where another x had more. */
  private float[] data = {};

  public DataRowsKernel(DataRows base, Layout layout) {
    this.base = base;
    out = layout.variable(base.features());
  }

  /** Takes in the rows that passes from here on look at. */
  public void observe(Observation x) {
    try (var _ = new PointerScope()) {
      Tensor rows = base.rows(x).contiguous();
      int count = Math.toIntExact(rows.numel());
      if (data.length < count) {
        data = new float[count];
      }
      MemorySegment memory = FlatParameters.memory(rows);
      MemorySegment.copy(memory, ValueLayout.JAVA_FLOAT, 0, data, 0, count);
    }
  }

  @Override
  public void forward(Tape tape) {
    int d = out.size();
    int first = Math.toIntExact(tape.firstImage()) * d;
    for (int c = 0; c < d; c++) {
      int at = out.at() + c * STRIDE;
      for (int i = 0; i < tape.rows; i++) {
        tape.values[at + i] = data[first + tape.image[i] * d + c];
      }
      Arrays.fill(tape.values, at + tape.rows, at + tape.padded, 0);
    }
  }

  /** Data has no parameters. */
  @Override
  public void backward(Tape tape) {}

  /** The density of the data is not known, and left out. */
  @Override
  public void inverse(Tape tape) {}
}
