package cifvi.engine.internal.fused.decoder;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.engine.internal.fused.pictures.Pictures;
import cifvi.engine.internal.fused.pictures.PixelRows;
import cifvi.engine.internal.fused.pictures.RowGemm;
import cifvi.engine.internal.fused.pictures.WideLanes;
import cifvi.nn.LargeDecoder;
import cifvi.nn.Linear;
import java.util.Arrays;

/** W z + b, from columns of the tape to pictures: the linear start of a {@link LargeDecoder}. */
public final class PictureStart {
  private static final int PIXELS = LargeDecoder.START * LargeDecoder.START;

  private final Weights weights;
  private final Layout.Var z;
  private final int weight;
  private final int bias;
  private final int real; // channels, before they are filled up
  private final int features; // of z, filled up
  private final float[] matrix; // from features to the numbers of a picture
  private final float[] transposed;
  private final float[] biases;

  // Places in scratch memory.
  private final int rows; // z, or the gradient in it, row by row
  private final int dMatrix;
  private final int dBiases;

  /** What it gives, in values. */
  final Pictures out;

  PictureStart(
      Linear linear, Layout.Var z, Weights weights, Layout layout, Layout.Scratch scratch) {
    this.weights = weights;
    this.z = z;
    weight = weights.offset(linear.weight());
    bias = weights.offset(linear.bias());
    real = Math.toIntExact(linear.weight().size(0)) / PIXELS;
    features = WideLanes.roundUp(z.size());
    int channels = WideLanes.roundUp(real);
    out = new Pictures(layout.rows(PIXELS * channels), LargeDecoder.START, channels);
    matrix = new float[features * out.size()];
    transposed = new float[matrix.length];
    biases = new float[out.size()];
    rows = scratch.rows(features);
    dMatrix = scratch.numbers(matrix.length);
    dBiases = scratch.numbers(out.size());
    layout.prepare(this::prepare);
  }

  private void prepare() {
    for (int c = 0; c < real; c++) {
      for (int pixel = 0; pixel < PIXELS; pixel++) {
        int number = pixel * out.channels() + c;
        int from = weight + (c * PIXELS + pixel) * z.size();
        biases[number] = weights.values[bias + c * PIXELS + pixel];
        System.arraycopy(weights.values, from, transposed, number * features, z.size());
        for (int k = 0; k < z.size(); k++) {
          matrix[k * out.size() + number] = weights.values[from + k];
        }
      }
    }
  }

  void forward(Tape tape) {
    float[] v = tape.values;
    readRows(tape);
    RowGemm.multiply(tape.scratch, rows, tape.rows, features, matrix, 0, out.size(), v, out.at());
    for (int i = 0; i < tape.rows; i++) {
      PixelRows.add(biases, 0, v, out.of(i), out.size());
    }
  }

  private void readRows(Tape tape) {
    Arrays.fill(tape.scratch, rows, rows + features * STRIDE, 0);
    for (int k = 0; k < z.size(); k++) {
      for (int i = 0; i < tape.rows; i++) {
        tape.scratch[rows + i * features + k] = tape.values[z.at() + k * STRIDE + i];
      }
    }
  }

  /** Adds to the gradients of z, W and b, given that of what it gave, in scratch memory. */
  void backward(Tape tape, int dOut) {
    float[] s = tape.scratch;
    readRows(tape);
    Arrays.fill(s, dMatrix, dMatrix + matrix.length, 0);
    Arrays.fill(s, dBiases, dBiases + out.size(), 0);
    RowGemm.addGradient(s, rows, tape.rows, features, s, dOut, out.size(), s, dMatrix);
    PixelRows.sum(s, dOut, s, dBiases, tape.rows, out.size());
    addGradients(s, tape.parameterGradient);
    RowGemm.multiply(s, dOut, tape.rows, out.size(), transposed, 0, features, s, rows);
    for (int k = 0; k < z.size(); k++) {
      for (int i = 0; i < tape.rows; i++) {
        tape.gradients[z.gradient() + k * STRIDE + i] += s[rows + i * features + k];
      }
    }
  }

  private void addGradients(float[] s, float[] g) {
    for (int c = 0; c < real; c++) {
      for (int pixel = 0; pixel < PIXELS; pixel++) {
        int number = pixel * out.channels() + c;
        int to = weight + (c * PIXELS + pixel) * z.size();
        g[bias + c * PIXELS + pixel] += s[dBiases + number];
        for (int k = 0; k < z.size(); k++) {
          g[to + k] += s[dMatrix + k * out.size() + number];
        }
      }
    }
  }
}
