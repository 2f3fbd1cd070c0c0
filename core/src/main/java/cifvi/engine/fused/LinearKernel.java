package cifvi.engine.fused;

import static cifvi.engine.fused.Lanes.COUNT;
import static cifvi.engine.fused.Lanes.SPECIES;
import static cifvi.engine.fused.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.nn.Linear;
import java.util.List;
import jdk.incubator.vector.FloatVector;

/**
 * y = W x + b; backward dx += Wᵀ dy, dW += dy xᵀ, db += dy.
 *
 * <p>Of a masked map only the {@link Band}s are computed: outputs that see nothing are their
 * biases.
 */
final class LinearKernel {
  private final Weights weights;
  private final int inputs;
  private final int outputs;
  private final int weight;
  private final int bias;
  private final Band[] bands;
  private final Band[] backwardBands;
  private final float[] transposed;
  private final int turned;

  /**
   * Makes the kernel of a linear map.
   *
   * @param turned place for {@link #scratch} columns of scratch memory, used within a call only
   */
  LinearKernel(Linear linear, Weights weights, Layout layout, int turned) {
    this.weights = weights;
    outputs = Math.toIntExact(linear.weight().size(0));
    inputs = Math.toIntExact(linear.weight().size(1));
    weight = weights.offset(linear.weight());
    bias = weights.offset(linear.bias());
    bands = Band.of(outputs, inputs, (j, i) -> weights.mask(weight + j * inputs + i) != 0);
    backwardBands = Band.of(inputs, outputs, (i, j) -> weights.mask(weight + j * inputs + i) != 0);
    transposed = new float[inputs * outputs];
    this.turned = turned;
    layout.prepare(this::transpose);
  }

  /** Scratch columns that suffice for each of the maps. */
  static int scratch(List<Linear> linears) {
    return linears.stream()
        .mapToInt(linear -> Transpose.size(Math.toIntExact(linear.weight().size(1))))
        .max()
        .orElse(0);
  }

  int inputs() {
    return inputs;
  }

  int outputs() {
    return outputs;
  }

  private void transpose() {
    for (int j = 0; j < outputs; j++) {
      for (int i = 0; i < inputs; i++) {
        transposed[i * outputs + j] = weights.values[weight + j * inputs + i];
      }
    }
  }

  /** y = W x + b. */
  void forward(Tape tape, float[] x, int xAt, float[] y, int yAt) {
    forward(tape, x, xAt, y, yAt, 0, outputs);
  }

  /** Outputs {@code from} to {@code to - 1} alone, in their places. */
  void forward(Tape tape, float[] x, int xAt, float[] y, int yAt, int from, int to) {
    for (int j = from; j < to; j++) {
      fill(y, yAt + j * STRIDE, weights.values[bias + j], tape.padded);
    }
    multiply(tape, x, xAt, y, yAt, from, to);
  }

  /** y += W x + b. */
  void addForward(Tape tape, float[] x, int xAt, float[] y, int yAt) {
    for (int j = 0; j < outputs; j++) {
      shift(y, yAt + j * STRIDE, weights.values[bias + j], tape.padded);
    }
    multiply(tape, x, xAt, y, yAt, 0, outputs);
  }

  private void multiply(Tape tape, float[] x, int xAt, float[] y, int yAt, int from, int to) {
    for (Band band : bands) {
      int first = Math.max(from, band.from());
      int last = Math.min(to, band.to());
      if (first < last) {
        Gemm.add(
            weights.values,
            weight,
            inputs,
            first,
            last,
            band.first(),
            band.last(),
            x,
            xAt,
            y,
            yAt,
            tape.padded);
      }
    }
  }

  /** Adds to dx and to the gradients of W and b. */
  void backward(Tape tape, float[] x, int xAt, float[] dy, int dyAt, float[] dx, int dxAt) {
    WeightGradient.addBias(tape, bias, outputs, dy, dyAt);
    for (Band band : bands) {
      WeightGradient.add(
          tape,
          tape.parameterGradient,
          weight,
          inputs,
          band.from(),
          band.to(),
          band.first(),
          band.last(),
          x,
          xAt,
          dy,
          dyAt,
          turned);
    }
    for (Band band : backwardBands) {
      Gemm.add(
          transposed,
          0,
          outputs,
          band.from(),
          band.to(),
          band.first(),
          band.last(),
          dy,
          dyAt,
          dx,
          dxAt,
          tape.padded);
    }
  }

  private static void fill(float[] y, int at, float value, int rows) {
    FloatVector v = broadcast(SPECIES, value);
    for (int s = 0; s < rows; s += COUNT) {
      v.intoArray(y, at + s);
    }
  }

  private static void shift(float[] y, int at, float value, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      fromArray(SPECIES, y, at + s).add(value).intoArray(y, at + s);
    }
  }
}
