package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Tape;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Coins x in columns with logits l ({@link cifvi.distribution.Bernoulli}); with e = e^{-|l|}
 *
 * <pre>
 *   log density = Σ x l - max(l, 0) - log(1 + e)
 *   ∂/∂l = x - σ(l),  σ(l) = 1 / (1 + e) for l ≥ 0, e / (1 + e) below
 * </pre>
 */
public final class CoinRows {
  private CoinRows() {}

  /**
   * Writes the log-density of some columns to the scratch row {@code log}, and x - σ(l) for the
   * backward pass; the logits are in scratch memory.
   */
  public static void forward(Tape tape, int x, int logits, int residuals, int log, int columns) {
    float[] v = tape.values;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector sum = broadcast(SPECIES, 0);
      for (int c = 0; c < columns * STRIDE; c += STRIDE) {
        FloatVector l = fromArray(SPECIES, tape.scratch, logits + c + s);
        FloatVector coin = fromArray(SPECIES, v, x + c + s);
        FloatVector e = FloatMath.exp(l.abs().neg());
        FloatVector sigma =
            broadcast(SPECIES, 1).blend(e, l.compare(VectorOperators.LT, 0)).div(e.add(1));
        coin.sub(sigma).intoArray(v, residuals + c + s);
        sum = coin.mul(l).sub(FloatMath.relu(l)).sub(FloatMath.log1p(e)).add(sum);
      }
      sum.intoArray(tape.scratch, log + s);
    }
  }

  /** Writes the gradient of the loss in the logits to scratch memory. */
  public static void backward(Tape tape, int residuals, int to, int columns) {
    for (int c = 0; c < columns * STRIDE; c += STRIDE) {
      for (int s = 0; s < tape.padded; s += COUNT) {
        fromArray(SPECIES, tape.values, residuals + c + s)
            .mul(fromArray(SPECIES, tape.dLogWeight, s))
            .intoArray(tape.scratch, to + c + s);
      }
    }
  }
}
