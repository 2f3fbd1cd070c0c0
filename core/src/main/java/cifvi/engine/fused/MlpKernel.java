package cifvi.engine.fused;

import static cifvi.engine.fused.Tape.STRIDE;

import cifvi.nn.Linear;
import cifvi.nn.Mlp;
import java.util.Arrays;
import java.util.List;

/** {@link Mlp}: linear maps with tanh between them; d tanh = 1 - tanh². */
final class MlpKernel implements Net {
  private final Layout.Var in;
  private final Layout.Var out;
  private final LinearKernel[] linears;
  private final int[] hidden;
  private final int gradient;
  private final int nextGradient;

  MlpKernel(Mlp mlp, Layout.Var in, Weights weights, Layout layout) {
    this.in = in;
    List<Linear> layers = mlp.layers();
    var scratch = layout.kernelScratch();
    int turned = scratch.rows(LinearKernel.scratch(layers));
    linears =
        layers.stream()
            .map(linear -> new LinearKernel(linear, weights, layout, turned))
            .toArray(LinearKernel[]::new);
    hidden = new int[linears.length - 1];
    int widest = 0;
    for (int k = 0; k < hidden.length; k++) {
      hidden[k] = layout.rows(linears[k].outputs());
      widest = Math.max(widest, linears[k].outputs());
    }
    out = layout.variable(linears[hidden.length].outputs());
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
      Tanh.forward(values, hidden[k], linears[k].outputs(), tape.padded);
      x = hidden[k];
    }
    linears[hidden.length].forward(tape, values, x, values, out.at());
  }

  @Override
  public void backward(Tape tape) {
    float[] dy = tape.gradients;
    int dyAt = out.gradient();
    int free = gradient;
    for (int k = hidden.length; k > 0; k--) {
      int width = linears[k].inputs();
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
