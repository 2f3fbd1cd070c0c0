package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.FusedLogWeights;
import cifvi.engine.internal.fused.Segment;
import cifvi.engine.internal.fused.memory.Tape;

/**
 * Adds a column that a {@link Segment} gave to the log-weights: log|det| of a layer without kernel,
 * or log p(x, z).
 *
 * @param at place of the column in the values of the tape
 * @param gradient its place in the gradients
 * @param joint whether it is log p(x, z)
 */
public record TermKernel(int at, int gradient, boolean joint) implements Kernel {
  @Override
  public void forward(Tape tape) {
    tape.addLogWeight(tape.values, at);
    for (int i = 0; joint && i < tape.rows; i++) {
      tape.logJoint[i] = tape.values[at + i];
    }
  }

  @Override
  public void backward(Tape tape) {
    float[] g = tape.gradients;
    for (int s = 0; s < tape.padded; s += COUNT) {
      fromArray(SPECIES, g, gradient + s)
          .add(fromArray(SPECIES, tape.dLogWeight, s))
          .intoArray(g, gradient + s);
    }
  }

  /** Nothing comes back from z through a segment; {@link FusedLogWeights} does not ask for it. */
  @Override
  public void inverse(Tape tape) {
    throw new IllegalStateException("a program with segments has no inverse");
  }
}
