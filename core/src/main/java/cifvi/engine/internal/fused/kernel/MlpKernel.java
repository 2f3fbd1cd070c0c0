package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.math.Tanh;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.UnitOrder;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.Linear;
import cifvi.nn.Mlp;
import java.util.Arrays;
import java.util.List;

/**
 * {@link Mlp}: linear maps with tanh between them; d tanh = 1 - tanh². Hidden units of a masked one
 * lie in their {@link UnitOrder}.
 */
public final class MlpKernel implements Net {
  private final Layout.Var in;
  private final Layout.Var out;
  private final LinearKernel[] linears;
  private final UnitOrder[] orders; // of the hidden layers
  private final int[] hidden;
  private final int gradient;
  private final int nextGradient;

  public MlpKernel(Mlp mlp, Layout.Var in, Weights weights, Layout layout) {
    this.in = in;
    List<Linear> layers = mlp.layers();
    var scratch = layout.kernelScratch();
    int panels = scratch.rows(LinearKernel.scratch(layers));
    int dense = scratch.rows(LinearKernel.dense(layers));
    int last = layers.size() - 1;
    linears = new LinearKernel[layers.size()];
    orders = new UnitOrder[last];
    hidden = new int[last];
    int widest = 0;
    UnitOrder before = UnitOrder.natural(in.size());
    for (int k = 0; k <= last; k++) {
      Linear layer = layers.get(k);
      int width = Math.toIntExact(layer.weight().size(0));
      UnitOrder order = k == last ? UnitOrder.natural(width) : before.after(layer, weights);
      linears[k] = new LinearKernel(layer, before, order, weights, layout, panels, dense);
      if (k < last) {
        orders[k] = order;
        hidden[k] = layout.rows(width);
        widest = Math.max(widest, width);
      }
      before = order;
    }
    out = layout.variable(linears[last].outputs);
    gradient = scratch.rows(widest);
    nextGradient = scratch.rows(widest);
  }

  @Override
  public Layout.Var out() {
    return out;
  }

  @Override
  public void forward(Tape tape) {
    float[] values = tape.values;
    int x = in.at();
    for (int k = 0; k < hidden.length; k++) {
      linears[k].forward(tape, values, x, values, hidden[k]);
      Tanh.forward(values, hidden[k], linears[k].outputs, tape.padded);
      x = hidden[k];
    }
    linears[hidden.length].forward(tape, values, x, values, out.at());
  }

  /** Sets the hidden units to zero, for {@link #hidden} to compute one after the other. */
  void clear(Tape tape) {
    for (int k = 0; k < hidden.length; k++) {
      Arrays.fill(tape.values, hidden[k], hidden[k] + linears[k].outputs * STRIDE, 0);
    }
  }

  /** Computes the hidden units that depend on the first {@code known} inputs and no fewer. */
  void hidden(Tape tape, int known) {
    float[] values = tape.values;
    int x = in.at();
    for (int k = 0; k < hidden.length; k++) {
      int from = orders[k].within(known - 1);
      int to = orders[k].within(known);
      linears[k].forward(tape, values, x, values, hidden[k], from, to);
      Tanh.forward(values, hidden[k] + from * STRIDE, to - from, tape.padded);
      x = hidden[k];
    }
  }

  /** One output, from the hidden units computed so far. */
  void output(Tape tape, int j) {
    int x = hidden.length == 0 ? in.at() : hidden[hidden.length - 1];
    linears[hidden.length].forward(tape, tape.values, x, tape.values, out.at(), j, j + 1);
  }

  @Override
  public void backward(Tape tape) {
    float[] dy = tape.gradients;
    int dyAt = out.gradient();
    int free = gradient;
    for (int k = hidden.length; k > 0; k--) {
      int width = linears[k].inputs;
      Arrays.fill(tape.scratch, free, free + width * STRIDE, 0);
      linears[k].backward(tape, tape.values, hidden[k - 1], dy, dyAt, tape.scratch, free);
      Tanh.backward(tape.scratch, free, tape.values, hidden[k - 1], width, tape.padded);
      dy = tape.scratch;
      dyAt = free;
      free = free == gradient ? nextGradient : gradient;
    }
    linears[0].backward(tape, tape.values, in.at(), dy, dyAt, tape.gradients, in.gradient());
  }
}
