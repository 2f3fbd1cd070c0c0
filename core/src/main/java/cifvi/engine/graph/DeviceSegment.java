package cifvi.engine.graph;

import cifvi.distribution.Observation;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;

/**
 * A part of a model that has no operation: libtorch runs it, on the whole batch, from variables of
 * the tape to one more.
 *
 * @param what the part, for the log
 * @param in what it looks at besides x
 */
record DeviceSegment(String what, List<Variable> in, Variable out, Function function) {
  /** The same with other variables in place of those it looks at. */
  DeviceSegment reading(UnaryOperator<Variable> others) {
    return new DeviceSegment(what, in.stream().map(others).toList(), out, function);
  }

  /** The part itself. */
  interface Function {
    /**
     * From leaves {@code [batch, size]}, one for every variable it looks at, to {@code [batch,
     * out]}.
     */
    Tensor apply(List<Tensor> in, Observation x);
  }
}
