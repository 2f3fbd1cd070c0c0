package cifvi.engine.internal.fused.decoder;

import static cifvi.engine.internal.fused.pictures.Winograd.POINTS;
import static cifvi.engine.internal.fused.pictures.WinogradTiles.SQUARE;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.engine.internal.fused.pictures.Pictures;
import cifvi.engine.internal.fused.pictures.PixelRows;
import cifvi.engine.internal.fused.pictures.RowGemm;
import cifvi.engine.internal.fused.pictures.WideLanes;
import cifvi.engine.internal.fused.pictures.Winograd;
import cifvi.engine.internal.fused.pictures.WinogradTiles;
import cifvi.nn.Conv;
import java.util.Arrays;

/**
 * y = W * relu(x) + b, a 3 x 3 convolution that keeps side and channels, by {@link Winograd}: a
 * product with a matrix of channels at each point of the pictures' tiles.
 */
public final class PlainConv {
  private static final int SIDE = 3;
  private static final int TAPS = SIDE * SIDE;

  /** Outputs whose weights are read together: a part of the first-level cache. */
  private static final int BLOCK = 8;

  private final Weights weights;
  private final int weight;
  private final int bias;
  private final int real; // channels, before they are filled up
  private final int channels;
  private final int matrix; // numbers of one
  private final WinogradTiles tiles;
  private final float[] biases;
  private final float[] matrices; // of every point, from inputs to outputs
  private final float[] transposed;

  // Places in scratch memory, of gradients but for the last.
  private final int dMatrices;
  private final int dBiases;
  private final int dTaps; // of one input
  private final int between;

  /**
   * Makes the convolution.
   *
   * @param side of the pictures
   * @param scratch used within a call only
   */
  PlainConv(Conv conv, int side, Weights weights, Layout layout, Layout.Scratch scratch) {
    this.weights = weights;
    weight = weights.offset(conv.weight());
    bias = weights.offset(conv.bias());
    real = Math.toIntExact(conv.weight().size(0));
    channels = WideLanes.roundUp(real);
    matrix = channels * channels;
    tiles = new WinogradTiles(side, channels, scratch);
    biases = new float[channels];
    matrices = new float[SQUARE * (matrix + channels)];
    transposed = new float[SQUARE * (matrix + channels)];
    dMatrices = scratch.numbers(SQUARE * matrix);
    dBiases = scratch.numbers(channels);
    dTaps = scratch.numbers(TAPS * channels);
    between = scratch.numbers(SQUARE * channels);
    float[] taps = new float[TAPS * matrix];
    float[] turned = new float[TAPS * matrix];
    layout.prepare(() -> System.arraycopy(weights.values, bias, biases, 0, real));
    layout.prepare(
        () -> {
          for (int o = 0; o < real; o += BLOCK) {
            turn(o, Math.min(o + BLOCK, real), taps);
          }
          toPoints(taps, matrices);
        });
    layout.prepare(
        () -> {
          for (int o = 0; o < real; o++) {
            copy(o, turned);
          }
          toPoints(turned, transposed);
        });
  }

  /** The weights of some outputs, which become adjacent; the inputs of one are rows. */
  private void turn(int first, int last, float[] to) {
    for (int t = 0; t < TAPS; t++) {
      for (int i = 0; i < real; i++) {
        for (int o = first; o < last; o++) {
          to[t * matrix + i * channels + o] = weights.values[weight + (o * real + i) * TAPS + t];
        }
      }
    }
  }

  /** The weights of an output as a row for every tap. */
  private void copy(int o, float[] to) {
    for (int t = 0; t < TAPS; t++) {
      for (int i = 0; i < real; i++) {
        to[t * matrix + o * channels + i] = weights.values[weight + (o * real + i) * TAPS + t];
      }
    }
  }

  private void toPoints(float[] taps, float[] to) {
    for (int at = 0; at < matrix; at += channels) {
      Winograd.WEIGHT.square(
          taps,
          at,
          SIDE * matrix,
          matrix,
          SQUARE * matrix,
          to,
          at,
          POINTS * matrix,
          matrix,
          channels);
    }
  }

  /** From x to y, both in values. */
  void forward(Tape tape, Pictures x, Pictures y) {
    float[] v = tape.values;
    float[] s = tape.scratch;
    for (int from = 0; from < tape.rows; from += tiles.pictures()) {
      int count = Math.min(tiles.pictures(), tape.rows - from);
      tiles.clear(s);
      for (int i = 0; i < count; i++) {
        tiles.input(v, x.of(from + i), s, i);
      }
      for (int p = 0; p < SQUARE; p++) {
        multiply(s, tiles.inputs, p, count, matrices, tiles.outputs);
      }
      for (int i = 0; i < count; i++) {
        tiles.output(s, i, biases, v, y.of(from + i));
      }
    }
  }

  /** Writes dx, given dy, both in scratch memory, and adds to the gradients of W and b. */
  void backward(Tape tape, Pictures x, Pictures dy, Pictures dx) {
    float[] s = tape.scratch;
    Arrays.fill(s, dMatrices, dMatrices + SQUARE * matrix, 0);
    Arrays.fill(s, dBiases, dBiases + channels, 0);
    for (int from = 0; from < tape.rows; from += tiles.pictures()) {
      int count = Math.min(tiles.pictures(), tape.rows - from);
      tiles.clear(s);
      for (int i = 0; i < count; i++) {
        int picture = dy.of(from + i);
        tiles.input(tape.values, x.of(from + i), s, i);
        tiles.outputBack(s, picture, s, i);
        PixelRows.sum(s, picture, s, dBiases, dy.side() * dy.side(), channels);
      }
      for (int p = 0; p < SQUARE; p++) {
        int in = tiles.inputs + p * tiles.point;
        int out = tiles.outputs + p * tiles.point;
        RowGemm.addGradient(
            s, in, tiles.rows(count), channels, s, out, channels, s, dMatrices + p * matrix);
        multiply(s, tiles.outputs, p, count, transposed, tiles.inputs);
      }
      for (int i = 0; i < count; i++) {
        tiles.inputBack(s, i, tape.values, x.of(from + i), s, dx.of(from + i));
      }
    }
    addGradients(s, tape.parameterGradient);
  }

  /** At one point. */
  private void multiply(float[] s, int from, int p, int count, float[] by, int to) {
    int at = p * tiles.point;
    RowGemm.multiply(
        s, from + at, tiles.rows(count), channels, by, p * matrix, channels, s, to + at);
  }

  private void addGradients(float[] s, float[] g) {
    for (int o = 0; o < real; o++) {
      g[bias + o] += s[dBiases + o];
    }
    for (int i = 0; i < real; i++) {
      Winograd.WEIGHT_BACK.square(
          s,
          dMatrices + i * channels,
          POINTS * matrix,
          matrix,
          between,
          s,
          dTaps,
          SIDE * channels,
          channels,
          channels);
      for (int o = 0; o < real; o++) {
        int at = weight + (o * real + i) * TAPS;
        for (int t = 0; t < TAPS; t++) {
          g[at + t] += s[dTaps + t * channels + o];
        }
      }
    }
  }
}
