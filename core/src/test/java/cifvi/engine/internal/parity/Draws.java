package cifvi.engine.internal.parity;

import cifvi.distribution.Observation;
import cifvi.tensor.CounterRng;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** What evaluations read: draws, their log-weights, and the log-weights of paths back from them. */
public final class Draws {
  private Draws() {}

  /** By libtorch. */
  public static Computation eager(Observation x, long times) {
    return (model, noise) -> of(LogWeights.eager(model).draw(x, times, noise));
  }

  /** By libtorch. */
  public static Computation eagerBackward(double[] z, Observation x, long paths) {
    return (model, noise) -> ofBackward(LogWeights.eager(model).backward(z, x, paths, noise));
  }

  public static SequencedMap<String, double[]> of(LogWeights.Draws draws) {
    SequencedMap<String, double[]> numbers = new LinkedHashMap<>();
    numbers.put("z", draws.z());
    numbers.put("delta", draws.delta());
    numbers.put("log p", draws.logJoint());
    return numbers;
  }

  public static SequencedMap<String, double[]> ofBackward(double[] logWeights) {
    SequencedMap<String, double[]> numbers = new LinkedHashMap<>();
    numbers.put("log q - log r", logWeights);
    double mean = Arrays.stream(logWeights).average().orElseThrow();
    numbers.put("mean of log q - log r", new double[] {mean}); // an error that all rows share
    return numbers;
  }

  /** Draws that paths back may begin with, float32 numbers. */
  public static double[] z(Model exact, Observation x, CounterRng noise) {
    double[] z = LogWeights.eager(exact).draw(x, 1, noise).z();
    for (int i = 0; i < z.length; i++) {
      z[i] = (float) z[i];
    }
    return z;
  }
}
