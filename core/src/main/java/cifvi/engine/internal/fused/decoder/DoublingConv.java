package cifvi.engine.internal.fused.decoder;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.engine.internal.fused.pictures.Pictures;
import cifvi.engine.internal.fused.pictures.PixelRows;
import cifvi.engine.internal.fused.pictures.RowGemm;
import cifvi.engine.internal.fused.pictures.WideLanes;
import cifvi.nn.Conv;
import java.util.Arrays;

/**
 * y = W * relu(h) + S * x + b: two transposed 3 x 3 convolutions of stride 2 that double the side
 * of pictures (or nearly), as one product of the pixels of h and x with all taps, whose parts meet
 * in y. Pixel i and tap t of one axis meet in 2 i + t - 1.
 */
public final class DoublingConv {
  private static final int SIDE = 3;
  private static final int TAPS = SIDE * SIDE;

  private final Weights weights;
  private final int weight;
  private final int shortcut;
  private final int bias;
  private final int shortcutBias;
  private final int realInputs; // channels, before they are filled up
  private final int realOutputs;
  private final int inputs; // of h, and as many of x
  private final int outputs;
  private final int side;
  private final int pixels;
  private final int doubled; // side of y
  private final float[] matrix; // from both to all taps
  private final float[] transposed;
  private final float[] biases;

  // Places in scratch memory.
  private final int pairs; // relu(h) and x, pixel by pixel
  private final int parts; // of y, tap by tap
  private final int dMatrix;
  private final int dBiases;

  /**
   * Makes the convolutions.
   *
   * @param side of h and x
   * @param scratch used within a call only
   */
  DoublingConv(
      Conv conv, Conv shortcut, int side, Weights weights, Layout layout, Layout.Scratch scratch) {
    this.weights = weights;
    this.side = side;
    pixels = side * side;
    doubled = conv.side(side);
    weight = weights.offset(conv.weight());
    bias = weights.offset(conv.bias());
    this.shortcut = weights.offset(shortcut.weight());
    shortcutBias = weights.offset(shortcut.bias());
    realInputs = Math.toIntExact(conv.weight().size(0));
    realOutputs = Math.toIntExact(conv.weight().size(1));
    inputs = WideLanes.roundUp(realInputs);
    outputs = WideLanes.roundUp(realOutputs);
    matrix = new float[2 * inputs * TAPS * outputs];
    transposed = new float[matrix.length];
    biases = new float[outputs];
    int rows = pictures() * pixels + RowGemm.TALL;
    pairs = scratch.numbers(rows * 2 * inputs);
    parts = scratch.numbers(rows * TAPS * outputs);
    dMatrix = scratch.numbers(matrix.length);
    dBiases = scratch.numbers(outputs);
    layout.prepare(() -> prepare(weight, 0));
    layout.prepare(() -> prepare(this.shortcut, inputs));
    layout.prepare(this::addBiases);
  }

  /** Pictures at a time. */
  private int pictures() {
    return Math.max(1, STRIDE / pixels);
  }

  private void prepare(int from, int firstInput) {
    int at = from;
    for (int i = 0; i < realInputs; i++) {
      for (int o = 0; o < realOutputs; o++) {
        for (int t = 0; t < TAPS; t++) {
          float w = weights.values[at++];
          matrix[(firstInput + i) * TAPS * outputs + t * outputs + o] = w;
          transposed[(t * outputs + o) * 2 * inputs + firstInput + i] = w;
        }
      }
    }
  }

  private void addBiases() {
    for (int o = 0; o < realOutputs; o++) {
      biases[o] = weights.values[bias + o] + weights.values[shortcutBias + o];
    }
  }

  /** From h and x to y, all in values. */
  void forward(Tape tape, Pictures h, Pictures x, Pictures y) {
    float[] v = tape.values;
    float[] s = tape.scratch;
    for (int from = 0; from < tape.rows; from += pictures()) {
      int count = Math.min(pictures(), tape.rows - from);
      gather(v, h.of(from), x.of(from), s, count * pixels);
      RowGemm.multiply(s, pairs, count * pixels, 2 * inputs, matrix, 0, TAPS * outputs, s, parts);
      for (int i = 0; i < count; i++) {
        int to = y.of(from + i);
        PixelRows.fill(biases, v, to, doubled * doubled, outputs);
        meet(s, parts + i * pixels * TAPS * outputs, v, to);
      }
    }
  }

  private void gather(float[] v, int h, int x, float[] s, int count) {
    for (int i = 0; i < count; i++) {
      int to = pairs + 2 * i * inputs;
      PixelRows.relu(v, h + i * inputs, s, to, inputs);
      PixelRows.copy(v, x + i * inputs, s, to + inputs, inputs);
    }
  }

  /** Adds the parts of a picture where they meet. */
  private void meet(float[] s, int from, float[] y, int to) {
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        int part = from + (row * side + column) * TAPS * outputs;
        for (int ty = first(row); ty < end(row); ty++) {
          int line = to + ((2 * row + ty - 1) * doubled + 2 * column - 1) * outputs;
          int tx = first(column);
          PixelRows.add(
              s,
              part + (ty * SIDE + tx) * outputs,
              y,
              line + tx * outputs,
              (end(column) - tx) * outputs);
        }
      }
    }
  }

  /** The taps of a pixel that lie in y, on one axis. */
  private static int first(int pixel) {
    return pixel == 0 ? 1 : 0;
  }

  private int end(int pixel) {
    return Math.min(SIDE, doubled + 1 - 2 * pixel);
  }

  /** Writes dh and dx, given dy, all in scratch memory, and adds to the gradients of W, S and b. */
  void backward(Tape tape, Pictures h, Pictures x, Pictures dy, Pictures dh, Pictures dx) {
    float[] v = tape.values;
    float[] s = tape.scratch;
    Arrays.fill(s, dMatrix, dMatrix + matrix.length, 0);
    Arrays.fill(s, dBiases, dBiases + outputs, 0);
    for (int from = 0; from < tape.rows; from += pictures()) {
      int count = Math.min(pictures(), tape.rows - from);
      int rows = count * pixels;
      gather(v, h.of(from), x.of(from), s, rows);
      for (int i = 0; i < count; i++) {
        part(s, dy.of(from + i), parts + i * pixels * TAPS * outputs);
        PixelRows.sum(s, dy.of(from + i), s, dBiases, doubled * doubled, outputs);
      }
      RowGemm.addGradient(s, pairs, rows, 2 * inputs, s, parts, TAPS * outputs, s, dMatrix);
      RowGemm.multiply(s, parts, rows, TAPS * outputs, transposed, 0, 2 * inputs, s, pairs);
      for (int i = 0; i < rows; i++) {
        int pair = pairs + 2 * i * inputs;
        int at = i * inputs;
        PixelRows.gate(s, pair, v, h.of(from) + at, s, dh.of(from) + at, inputs);
        PixelRows.copy(s, pair + inputs, s, dx.of(from) + at, inputs);
      }
    }
    addGradients(s, tape.parameterGradient);
  }

  /** What every pixel and tap has of dy; nothing where they lie outside. */
  private void part(float[] s, int dy, int to) {
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        int part = to + (row * side + column) * TAPS * outputs;
        if (first(row) + first(column) > 0 || end(row) + end(column) < 2 * SIDE) {
          Arrays.fill(s, part, part + TAPS * outputs, 0);
        }
        for (int ty = first(row); ty < end(row); ty++) {
          int line = dy + ((2 * row + ty - 1) * doubled + 2 * column - 1) * outputs;
          int tx = first(column);
          PixelRows.copy(
              s,
              line + tx * outputs,
              s,
              part + (ty * SIDE + tx) * outputs,
              (end(column) - tx) * outputs);
        }
      }
    }
  }

  private void addGradients(float[] s, float[] g) {
    for (int o = 0; o < realOutputs; o++) {
      g[bias + o] += s[dBiases + o];
      g[shortcutBias + o] += s[dBiases + o];
    }
    addGradient(s, dMatrix, g, weight);
    addGradient(s, dMatrix + inputs * TAPS * outputs, g, shortcut);
  }

  private void addGradient(float[] s, int from, float[] g, int to) {
    int at = to;
    for (int i = 0; i < realInputs; i++) {
      for (int o = 0; o < realOutputs; o++) {
        for (int t = 0; t < TAPS; t++) {
          g[at++] += s[from + (i * TAPS + t) * outputs + o];
        }
      }
    }
  }
}
