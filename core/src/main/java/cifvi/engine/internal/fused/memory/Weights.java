package cifvi.engine.internal.fused.memory;

import cifvi.nn.FlatParameters;
import cifvi.tensor.Backend;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.pytorch.Tensor;

/**
 * The parameters as kernels read them: a copy of {@link FlatParameters#effective}, made at the
 * beginning of every step.
 */
public final class Weights {
  private final FlatParameters flat;
  private final MemorySegment effective;
  public final float[] values;

  /** 1 where an entry takes part in the model, 0 where it is masked. */
  public final float[] mask;

  public Weights(FlatParameters flat) {
    this.flat = flat;
    this.effective = FlatParameters.memory(flat.effective());
    this.values = new float[Math.toIntExact(flat.size())];
    this.mask = mask(flat);
  }

  private static float[] mask(FlatParameters flat) {
    float[] mask = new float[Math.toIntExact(flat.size())];
    java.util.Arrays.fill(mask, 1);
    if (flat.mask() != null) {
      MemorySegment.copy(
          FlatParameters.memory(flat.mask()), ValueLayout.JAVA_FLOAT, 0, mask, 0, mask.length);
    }
    return mask;
  }

  /** Takes in what the optimiser, or anybody else, has written since the last call. */
  public void refresh() {
    MemorySegment.copy(effective, ValueLayout.JAVA_FLOAT, 0, values, 0, values.length);
  }

  /** Where a parameter that a layer holds lies in {@link #values} and in gradients. */
  public int offset(Tensor parameter) {
    return Math.toIntExact(flat.offset(parameter));
  }

  /** Whether the tensor is trained, and not a buffer. */
  public boolean holds(Tensor tensor) {
    return flat.holds(tensor);
  }

  /** A constant as float32. */
  public static float[] constant(Tensor tensor) {
    double[] values = Backend.doubles(tensor);
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }
}
