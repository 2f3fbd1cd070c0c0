package cifvi.engine.internal.fused.decoder;

import static cifvi.engine.internal.fused.pictures.WideLanes.COUNT;
import static cifvi.engine.internal.fused.pictures.WideLanes.SPECIES;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.engine.internal.fused.pictures.Pictures;
import cifvi.engine.internal.fused.pictures.PixelRows;
import cifvi.engine.internal.fused.pictures.RowGemm;
import cifvi.engine.internal.fused.pictures.WideLanes;
import cifvi.nn.Conv;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Σ_c w_c relu(x_c) + b at every pixel: a 1 x 1 convolution to one channel, from pictures to a
 * plane of the tape.
 */
public final class PointConv {
  private final Weights weights;
  private final int weight;
  private final int bias;
  private final int real; // channels, before they are filled up
  private final float[] filled;
  private final float[] matrix; // w in the first of as many columns as a vector has
  private final int dWeight;
  private final int lines; // of relu(x)
  private final int sums; // in the first column

  PointConv(Conv conv, int side, Weights weights, Layout layout, Layout.Scratch scratch) {
    this.weights = weights;
    weight = weights.offset(conv.weight());
    bias = weights.offset(conv.bias());
    real = Math.toIntExact(conv.weight().numel());
    filled = new float[WideLanes.roundUp(real)];
    matrix = new float[filled.length * WideLanes.MOST];
    dWeight = scratch.numbers(filled.length);
    lines = scratch.numbers((side + RowGemm.TALL) * filled.length);
    sums = scratch.numbers((side + RowGemm.TALL) * WideLanes.MOST);
    layout.prepare(this::prepare);
  }

  /** Of the pictures, filled up. */
  int channels() {
    return filled.length;
  }

  private void prepare() {
    for (int c = 0; c < real; c++) {
      filled[c] = weights.values[weight + c];
      matrix[c * WideLanes.MOST] = filled[c];
    }
  }

  /** From x in values to a plane in scratch memory. */
  void forward(Tape tape, Pictures x, int plane) {
    float[] s = tape.scratch;
    int line = x.side() * filled.length;
    for (int i = 0; i < tape.rows; i++) {
      for (int y = 0; y < x.side(); y++) {
        PixelRows.relu(tape.values, x.of(i) + y * line, s, lines, line);
        RowGemm.multiply(s, lines, x.side(), filled.length, matrix, 0, WideLanes.MOST, s, sums);
        int to = plane + Planes.pixel(y, 0) + i;
        for (int p = 0; p < x.side(); p++) {
          s[to + p * Tape.STRIDE] = s[sums + p * WideLanes.MOST] + weights.values[bias];
        }
      }
    }
  }

  /** Writes dx in scratch memory, and adds to the gradient of w; that of b is the sum of dy. */
  void backward(Tape tape, Pictures x, int plane, Pictures dx) {
    float[] s = tape.scratch;
    Arrays.fill(s, dWeight, dWeight + filled.length, 0);
    for (int i = 0; i < tape.rows; i++) {
      for (int y = 0; y < x.side(); y++) {
        int at = y * x.side() * x.channels();
        int from = plane + Planes.pixel(y, 0) + i;
        line(tape.values, x.of(i) + at, s, from, dx.of(i) + at, x.side());
      }
    }
    for (int c = 0; c < real; c++) {
      tape.parameterGradient[weight + c] += s[dWeight + c];
    }
  }

  void addBias(Tape tape, double sum) {
    tape.parameterGradient[bias] += (float) sum;
  }

  private void line(float[] x, int at, float[] s, int dy, int dx, int pixels) {
    int channels = filled.length;
    for (int c = 0; c < channels; c += COUNT) {
      FloatVector w = fromArray(SPECIES, filled, c);
      FloatVector sum = broadcast(SPECIES, 0);
      for (int p = 0; p < pixels; p++) {
        FloatVector d = broadcast(SPECIES, s[dy + p * Tape.STRIDE]);
        FloatVector v = fromArray(SPECIES, x, at + p * channels + c);
        broadcast(SPECIES, 0)
            .blend(w.mul(d), v.compare(VectorOperators.GT, 0))
            .intoArray(s, dx + p * channels + c);
        sum = v.max(0).fma(d, sum);
      }
      sum.add(fromArray(SPECIES, s, dWeight + c)).intoArray(s, dWeight + c);
    }
  }
}
