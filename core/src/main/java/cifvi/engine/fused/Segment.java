package cifvi.engine.fused;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * A part of a model that has no kernel: libtorch runs it, on the whole batch, from variables of the
 * tapes to one more.
 *
 * @param what the part, for the log
 * @param in what it looks at besides x
 */
record Segment(String what, List<Layout.Var> in, Layout.Var out, Function function) {
  /** The part itself. */
  interface Function {
    /**
     * From leaves {@code [batch, size]}, one for every variable it looks at, to {@code [batch,
     * out]}.
     */
    Tensor apply(List<Tensor> in, Observation x, Rng rng);
  }

  /** The variable as a network that was there before: its segment has run. */
  Net asNet() {
    return new Given(out);
  }

  private record Given(Layout.Var out) implements Net {
    @Override
    public void forward(Tape tape) {}

    @Override
    public void backward(Tape tape) {}
  }
}
