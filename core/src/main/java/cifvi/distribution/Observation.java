package cifvi.distribution;

import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;

/**
 * What a posterior is conditioned on: nothing, so that only the number of draws is known, or a
 * batch of data.
 */
public sealed interface Observation {
  /** Number of independent draws of the posterior that belong to this observation. */
  long rows();

  /**
   * Every row {@code times} times, copies of one row adjacent: row i becomes rows i·times to
   * (i+1)·times - 1.
   */
  Observation repeat(long times);

  /** Rows {@code from} to {@code from + count - 1}. */
  Observation slice(long from, long count);

  static Observation none(long rows) {
    return new None(rows);
  }

  static Observation of(Tensor x) {
    return new Batch(x);
  }

  /** No data: the posterior of one fixed problem, drawn {@code rows} times. */
  record None(long rows) implements Observation {
    public None {
      if (rows < 1) {
        throw new IllegalArgumentException("rows: expected at least 1, got " + rows);
      }
    }

    @Override
    public None repeat(long times) {
      return new None(Math.multiplyExact(rows, times));
    }

    @Override
    public None slice(long from, long count) {
      return new None(count);
    }
  }

  /** Data for an amortised posterior, {@code x[i]} belonging to draw i. */
  record Batch(Tensor x) implements Observation {
    public Batch {
      if (x.dim() < 1 || x.size(0) < 1) {
        throw new IllegalArgumentException(
            "x: expected at least one row, got " + Shapes.text(x.shape()));
      }
    }

    @Override
    public long rows() {
      return x.size(0);
    }

    @Override
    public Batch repeat(long times) {
      return times == 1
          ? this
          : new Batch(x.repeat_interleave(times, new LongOptional(0), new LongOptional()));
    }

    @Override
    public Batch slice(long from, long count) {
      return new Batch(x.narrow(0, from, count));
    }
  }
}
