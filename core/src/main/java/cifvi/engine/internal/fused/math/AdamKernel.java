package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Lanes;
import cifvi.nn.FlatParameters;
import cifvi.nn.FlatParameters.Slice;
import cifvi.vi.Adam;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import jdk.incubator.vector.FloatVector;

/**
 * From the gradients of the threads to new parameters: their sum, its norm, and {@link Adam}
 *
 * <pre>
 *   m ← β₁ m + (1-β₁) g,  v ← β₂ v + (1-β₂) g²,  θ ← θ - rate/(1-β₁ᵗ) m / (√v / √(1-β₂ᵗ) + ε)
 * </pre>
 *
 * <p>on the state that checkpoints save. Tensors are shared out among the threads; every tensor
 * begins at a whole vector and the gap behind it holds zeros.
 */
public final class AdamKernel {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int BYTES = Float.BYTES;

  private final Adam adam;
  private final List<Slice> slices;
  private final float[][] gradients;
  private final float[] mask;
  private final boolean segments;
  private final MemorySegment gradient;
  private final MemorySegment values;
  private final MemorySegment effective;
  private final MemorySegment m;
  private final MemorySegment v;
  private final double[] squares;
  private final float[][] lanes;
  private final int[] firstTensor;

  /**
   * For gradients in the layout of the model.
   *
   * @param gradients one for each thread
   * @param segments whether a part of the gradient is in the model's own buffer already
   */
  public AdamKernel(
      FlatParameters flat, Adam adam, float[] mask, float[][] gradients, boolean segments) {
    this.segments = segments;
    this.adam = adam;
    this.mask = mask;
    this.gradients = gradients;
    slices = List.copyOf(flat.slices().values());
    gradient = FlatParameters.memory(flat.gradient());
    values = FlatParameters.memory(flat.values());
    effective = FlatParameters.memory(flat.effective());
    m = FlatParameters.memory(adam.m());
    v = FlatParameters.memory(adam.v());
    squares = new double[slices.size()];
    lanes = new float[gradients.length][COUNT];
    firstTensor = split(slices, flat.size(), gradients.length);
  }

  /**
   * The tensors of part p are {@code split[p]} to {@code split[p + 1] - 1}, of about equal size.
   */
  private static int[] split(List<Slice> slices, long size, int parts) {
    int[] first = new int[parts + 1];
    first[parts] = slices.size();
    for (int part = 1; part < parts; part++) {
      int i = first[part - 1];
      while (i < slices.size() && slices.get(i).offset() < size * part / parts) {
        i++;
      }
      first[part] = i;
    }
    return first;
  }

  /** Sums the gradients of all threads for the tensors of one part, masked entries being zero. */
  public void sum(int part) {
    for (int i = firstTensor[part]; i < firstTensor[part + 1]; i++) {
      int from = Math.toIntExact(slices.get(i).offset());
      int to = from + Lanes.roundUp(Math.toIntExact(slices.get(i).count()));
      squares[i] = sum(from, to, lanes[part]);
    }
  }

  /** Returns the sum of the squares. */
  private double sum(int from, int to, float[] lanes) {
    FloatVector squares = broadcast(SPECIES, 0);
    for (int k = from; k < to; k += COUNT) {
      FloatVector g = fromArray(SPECIES, gradients[0], k);
      for (int t = 1; t < gradients.length; t++) {
        g = g.add(fromArray(SPECIES, gradients[t], k));
      }
      if (segments) {
        g = g.add(vector(gradient, (long) k * BYTES));
      }
      g = g.mul(fromArray(SPECIES, mask, k));
      g.intoMemorySegment(gradient, (long) k * BYTES, ORDER);
      squares = g.fma(g, squares);
    }
    squares.intoArray(lanes, 0);
    return Lanes.sum(lanes, 0);
  }

  /** The norm of the whole gradient. */
  public double norm() {
    double sum = 0;
    for (double square : squares) {
      sum += square;
    }
    return Math.sqrt(sum);
  }

  /** Counts the update; to be called once, before {@link #update}. */
  public void count() {
    adam.count(i -> squares[i] > 0);
  }

  /** Multiplies the gradient by {@code factor} and moves the tensors of one part. */
  public void update(int part, float factor, double learningRate) {
    for (int i = firstTensor[part]; i < firstTensor[part + 1]; i++) {
      int from = Math.toIntExact(slices.get(i).offset());
      int to = from + Lanes.roundUp(Math.toIntExact(slices.get(i).count()));
      float rate = (float) (learningRate / adam.correction(Adam.BETA1, i));
      float root = (float) Math.sqrt(adam.correction(Adam.BETA2, i));
      update(from, to, factor, rate, root);
    }
  }

  private void update(int from, int to, float factor, float rate, float root) {
    for (int k = from; k < to; k += COUNT) {
      long at = (long) k * BYTES;
      FloatVector g = vector(gradient, at).mul(factor);
      FloatVector first =
          vector(m, at).mul((float) Adam.BETA1).add(g.mul((float) (1 - Adam.BETA1)));
      FloatVector second =
          vector(v, at).mul((float) Adam.BETA2).add(g.mul(g).mul((float) (1 - Adam.BETA2)));
      FloatVector size = second.sqrt().div(root).add((float) Adam.EPSILON);
      FloatVector moved = vector(values, at).sub(first.mul(rate).div(size));
      if (factor != 1) {
        g.intoMemorySegment(gradient, at, ORDER);
      }
      first.intoMemorySegment(m, at, ORDER);
      second.intoMemorySegment(v, at, ORDER);
      moved.intoMemorySegment(values, at, ORDER);
      moved.mul(fromArray(SPECIES, mask, k)).intoMemorySegment(effective, at, ORDER);
    }
  }

  private static FloatVector vector(MemorySegment memory, long at) {
    return FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER);
  }
}
