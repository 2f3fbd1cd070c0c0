package cifvi.engine.internal.fused.memory;

import cifvi.engine.internal.fused.math.Gemm;
import cifvi.tensor.CounterRng;
import cifvi.tensor.NoiseWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one block of at most {@value #STRIDE} rows of a batch: what the forward pass
 * computes and the backward pass needs.
 *
 * <p>Everything is stored by column, column c of a variable at offset + c·{@value #STRIDE}, so that
 * the lanes of a vector run over rows of the batch. The stride is a constant, which lets the
 * compiler prove that accesses stay inside.
 */
public final class Tape {
  /** A multiple of six vectors, the width of a tile of {@link Gemm}; no power of two. */
  public static final int STRIDE = 144;

  /** Variables and what kernels keep for the backward pass. */
  public final float[] values;

  /** Of the loss, for every {@link Layout.Var}; kernels add to them. */
  public final float[] gradients;

  /** Used within one call of one kernel. */
  public final float[] scratch;

  /** Δ + log p so far, of every row. */
  public final double[] logWeight = new double[STRIDE];

  /** log p(x, z) of every row. */
  public final double[] logJoint = new double[STRIDE];

  /** Gradient of the loss in {@link #logWeight}; zero in rows that do not exist. */
  public final float[] dLogWeight = new float[STRIDE];

  /** Which of the images of the block a row shows; rows that do not exist show the last one. */
  public final int[] image = new int[STRIDE];

  /** The first row that shows an image of the block; behind the last one, the number of rows. */
  public final int[] firstShown = new int[STRIDE + 1];

  /** Of the loss in the parameters, in the layout of the model; of the thread, not the block. */
  public final float[] parameterGradient;

  /** Room for the lanes of up to four vectors, to be summed. */
  public final float[] lanes = new float[4 * Lanes.COUNT];

  private final NoiseWriter noise = new NoiseWriter();
  private @Nullable CounterRng rng;
  private long firstRow;
  private long firstImage;

  /** Rows in use, and the same rounded up to whole vectors; rows between them count for nothing. */
  public int rows;

  public int padded;

  public Tape(Layout layout, float[] parameterGradient) {
    values = new float[layout.values];
    gradients = new float[layout.gradients];
    scratch = new float[layout.scratch];
    this.parameterGradient = parameterGradient;
  }

  /**
   * Begins with rows {@code first} to {@code first + rows - 1} of a batch.
   *
   * @param copies how many adjacent rows of the batch share an image
   */
  public void start(CounterRng rng, long first, int rows, long copies) {
    this.rng = rng;
    this.firstRow = first;
    this.firstImage = first / copies;
    this.rows = rows;
    this.padded = Lanes.roundUp(rows);
    for (int i = padded - 1; i >= 0; i--) {
      image[i] = (int) ((first + Math.min(i, rows - 1)) / copies - firstImage);
      firstShown[image[i]] = i;
    }
    firstShown[images()] = rows;
    Arrays.fill(logWeight, 0);
  }

  /** Of the log-weights of the block. */
  public double sum() {
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      sum += logWeight[i];
    }
    return sum;
  }

  public int firstRow() {
    return Math.toIntExact(firstRow);
  }

  /** The first image that the block shows, of those of the batch. */
  public long firstImage() {
    return firstImage;
  }

  /** Number of images that the block shows. */
  public int images() {
    return image[rows - 1] + 1;
  }

  /**
   * Begins the backward pass, given the gradient of the loss in the log-weight of every row of the
   * batch.
   */
  public void startBackward(float[] gradient) {
    Arrays.fill(gradients, 0);
    System.arraycopy(gradient, firstRow(), dLogWeight, 0, rows);
    Arrays.fill(dLogWeight, rows, padded, 0);
  }

  /** Begins the backward pass, the loss having the same gradient in every log-weight. */
  public void startBackward(float gradient) {
    Arrays.fill(gradients, 0);
    Arrays.fill(dLogWeight, 0, rows, gradient);
    Arrays.fill(dLogWeight, rows, padded, 0);
  }

  /** Standard normals of the given stream for every row, {@code columns} columns at {@code at}. */
  public void normals(int stream, int columns, int at) {
    if (rng == null) {
      throw new IllegalStateException("the tape was not started");
    }
    noise.normals(rng, stream, firstRow, rows, columns, values, at, STRIDE);
    for (int c = 0; c < columns; c++) {
      Arrays.fill(values, at + c * STRIDE + rows, at + c * STRIDE + padded, 0);
    }
  }

  /** Adds a term that all rows share to the log-weights. */
  public void addLogWeight(double term) {
    for (int i = 0; i < rows; i++) {
      logWeight[i] += term;
    }
  }

  /** Adds one float32 term a row to the log-weights, in float64. */
  public void addLogWeight(float[] terms, int at) {
    for (int i = 0; i < rows; i++) {
      logWeight[i] += terms[at + i];
    }
  }
}
