package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.math.Band;
import cifvi.engine.internal.fused.math.Gemm;
import cifvi.engine.internal.fused.math.Transpose;
import cifvi.engine.internal.fused.math.WeightGradient;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.UnitOrder;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.Linear;
import java.util.Arrays;
import java.util.List;

/**
 * y = W x + b; backward dx += Wᵀ dy, dW += dy xᵀ, db += dy.
 *
 * <p>Of a masked map only the {@link Band}s are computed: outputs that see nothing are their
 * biases.
 */
public final class LinearKernel {
  private static final int NONE = -1;

  private final Weights weights;
  private final int[] in;
  private final int[] out;
  final int inputs;
  public final int outputs;
  private final int weight;
  private final int bias;
  private final Band[] bands;
  private final Band[] backwardBands;
  private final float[] matrix; // in the order of the tape, from matrixAt on
  private final int matrixAt;
  private final float[] transposed;
  private final int panels;
  private final int dense;

  /**
   * Makes the kernel of a linear map.
   *
   * @param panels place for {@link #scratch} columns of scratch memory, used within a call only
   */
  public LinearKernel(Linear linear, Weights weights, Layout layout, int panels) {
    this(
        linear,
        UnitOrder.natural(Math.toIntExact(linear.weight().size(1))),
        UnitOrder.natural(Math.toIntExact(linear.weight().size(0))),
        weights,
        layout,
        panels,
        NONE);
  }

  /**
   * The same for inputs and outputs that lie in other orders.
   *
   * @param dense place for {@link #dense} columns, as {@code panels}
   */
  LinearKernel(
      Linear linear,
      UnitOrder in,
      UnitOrder out,
      Weights weights,
      Layout layout,
      int panels,
      int dense) {
    this.weights = weights;
    this.in = in.units();
    this.out = out.units();
    outputs = this.out.length;
    inputs = this.in.length;
    weight = weights.offset(linear.weight());
    bias = weights.offset(linear.bias());
    bands = Band.of(outputs, inputs, (j, i) -> weights.mask[entry(j, i)] != 0);
    backwardBands = Band.of(inputs, outputs, (i, j) -> weights.mask[entry(j, i)] != 0);
    boolean natural = in.isNatural() && out.isNatural();
    matrix = natural ? weights.values : new float[inputs * outputs];
    matrixAt = natural ? weight : 0;
    transposed = new float[inputs * outputs];
    this.panels = panels;
    this.dense = natural ? NONE : dense;
    layout.prepare(this::arrange);
  }

  /** Scratch columns that suffice for each of the maps. */
  public static int scratch(List<Linear> linears) {
    return linears.stream()
        .mapToInt(linear -> Transpose.size(Math.toIntExact(linear.weight().size(1))))
        .max()
        .orElse(0);
  }

  /** Scratch columns that hold the weights of each of the maps. */
  static int dense(List<Linear> linears) {
    long most = linears.stream().mapToLong(linear -> linear.weight().numel()).max().orElse(0);
    return Math.ceilDiv(Math.toIntExact(most) + Transpose.PANEL, STRIDE);
  }

  /** Where the model has the weight of input i for output j, both as they lie on the tape. */
  private int entry(int j, int i) {
    return weight + out[j] * inputs + in[i];
  }

  private void arrange() {
    for (Band band : bands) {
      if (dense != NONE) {
        reorder(band);
      }
      for (int i = band.first(); i < band.last(); i++) {
        for (int j = band.from(); j < band.to(); j++) {
          transposed[i * outputs + j] = matrix[matrixAt + j * inputs + i];
        }
      }
    }
  }

  private void reorder(Band band) {
    for (int j = band.from(); j < band.to(); j++) {
      for (int i = band.first(); i < band.last(); i++) {
        matrix[j * inputs + i] = weights.values[entry(j, i)];
      }
    }
  }

  /** y = W x + b. */
  public void forward(Tape tape, float[] x, int xAt, float[] y, int yAt) {
    forward(tape, x, xAt, y, yAt, 0, outputs);
  }

  /** Outputs {@code from} to {@code to - 1} alone, in their places. */
  void forward(Tape tape, float[] x, int xAt, float[] y, int yAt, int from, int to) {
    for (int j = from; j < to; j++) {
      int column = yAt + j * STRIDE;
      Arrays.fill(y, column, column + tape.padded, weights.values[bias + out[j]]);
    }
    multiply(tape, x, xAt, y, yAt, from, to);
  }

  /** y += W x + b. */
  void addForward(Tape tape, float[] x, int xAt, float[] y, int yAt) {
    for (int j = 0; j < outputs; j++) {
      shift(y, yAt + j * STRIDE, weights.values[bias + out[j]], tape.padded);
    }
    multiply(tape, x, xAt, y, yAt, 0, outputs);
  }

  private void multiply(Tape tape, float[] x, int xAt, float[] y, int yAt, int from, int to) {
    for (Band band : bands) {
      Gemm.add(matrix, matrixAt, inputs, band.within(from, to), x, xAt, y, yAt, tape.padded);
    }
  }

  /** Adds to dx and to the gradients of W and b. */
  public void backward(Tape tape, float[] x, int xAt, float[] dy, int dyAt, float[] dx, int dxAt) {
    WeightGradient.addBias(tape, bias, out, dy, dyAt);
    if (dense == NONE) {
      float[] g = tape.parameterGradient;
      WeightGradient.add(tape, g, weight, inputs, bands, x, xAt, dy, dyAt, panels);
    } else {
      Arrays.fill(tape.scratch, dense, dense + inputs * outputs, 0);
      WeightGradient.add(tape, tape.scratch, dense, inputs, bands, x, xAt, dy, dyAt, panels);
      scatter(tape);
    }
    for (Band band : backwardBands) {
      Gemm.add(transposed, 0, outputs, band, dy, dyAt, dx, dxAt, tape.padded);
    }
  }

  /** Adds the gradient of the weights, in the order of the tape, to that in the model's order. */
  private void scatter(Tape tape) {
    for (Band band : bands) {
      for (int j = band.from(); j < band.to(); j++) {
        int row = dense + j * inputs;
        for (int i = band.first(); i < band.last(); i++) {
          tape.parameterGradient[entry(j, i)] += tape.scratch[row + i];
        }
      }
    }
  }

  private static void shift(float[] y, int at, float value, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      fromArray(SPECIES, y, at + s).add(value).intoArray(y, at + s);
    }
  }
}
