package cifvi.engine.fused;

import static cifvi.engine.fused.Lanes.COUNT;
import static cifvi.engine.fused.Lanes.SPECIES;
import static cifvi.engine.fused.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.nn.Linear;
import cifvi.nn.Mlp;
import java.util.Arrays;
import java.util.List;
import jdk.incubator.vector.FloatVector;

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
      for (int c = 0; c < linears[k].outputs(); c++) {
        tanh(values, hidden[k] + c * STRIDE, tape.padded);
      }
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
      for (int c = 0; c < width; c++) {
        dTanh(
            tape.scratch, free + c * STRIDE, tape.values, hidden[k - 1] + c * STRIDE, tape.padded);
      }
      dy = tape.scratch;
      dyAt = free;
      free = free == gradient ? nextGradient : gradient;
    }
    linears[0].backward(tape, tape.values, in.at(), dy, dyAt, tape.gradients, in.gradient());
  }

  private static void tanh(float[] a, int at, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatMath.tanh(fromArray(SPECIES, a, at + s)).intoArray(a, at + s);
    }
  }

  private static void dTanh(float[] d, int at, float[] tanh, int tanhAt, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector y = fromArray(SPECIES, tanh, tanhAt + s);
      FloatVector g = fromArray(SPECIES, d, at + s);
      g.sub(g.mul(y).mul(y)).intoArray(d, at + s);
    }
  }
}
