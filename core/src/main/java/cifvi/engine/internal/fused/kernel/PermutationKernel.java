package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.bijection.Permutation;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.nn.FlatParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;

/** {@link cifvi.bijection.Permutation} and {@link cifvi.bijection.Flip}: z_j = w_{order(j)}. */
public final class PermutationKernel implements Kernel {
  private final Layout.Var in;
  public final Layout.Var out;
  private final int[] order;

  private PermutationKernel(int[] order, Layout.Var in, Layout layout) {
    this.in = in;
    this.order = order;
    out = layout.variable(in.size());
  }

  /** The order is read at the beginning of every step, since it is loaded with the parameters. */
  public static PermutationKernel of(Permutation permutation, Layout.Var in, Layout layout) {
    MemorySegment indices = FlatParameters.memory(permutation.indices());
    int[] order = new int[in.size()];
    layout.prepare(
        () -> Arrays.setAll(order, j -> (int) indices.getAtIndex(ValueLayout.JAVA_LONG, j)));
    return new PermutationKernel(order, in, layout);
  }

  public static PermutationKernel flip(Layout.Var in, Layout layout) {
    int last = in.size() - 1;
    return new PermutationKernel(
        IntStream.rangeClosed(0, last).map(j -> last - j).toArray(), in, layout);
  }

  @Override
  public void forward(Tape tape) {
    for (int j = 0; j < order.length; j++) {
      copy(tape, in.at() + order[j] * STRIDE, out.at() + j * STRIDE);
    }
  }

  @Override
  public void backward(Tape tape) {
    for (int j = 0; j < order.length; j++) {
      int dw = in.gradient() + order[j] * STRIDE;
      add(tape.gradients, dw, out.gradient() + j * STRIDE, tape.padded);
    }
  }

  @Override
  public void inverse(Tape tape) {
    for (int j = 0; j < order.length; j++) {
      copy(tape, out.at() + j * STRIDE, in.at() + order[j] * STRIDE);
    }
  }

  private static void copy(Tape tape, int from, int to) {
    System.arraycopy(tape.values, from, tape.values, to, tape.padded);
  }

  private static void add(float[] g, int to, int from, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      fromArray(SPECIES, g, to + s).add(fromArray(SPECIES, g, from + s)).intoArray(g, to + s);
    }
  }
}
