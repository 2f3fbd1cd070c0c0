package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import cifvi.nn.FlatParameters;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Adam on ½ Σ c_i (x_i - o_i)² against the same algorithm written out for single numbers. */
@ExtendWith(NativeScope.class)
class AdamTest {
  /** Rounding of float64 over a hundred updates. */
  private static final double ROUNDING = 1e-12;

  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final double[] START = {1, -2, 0.5, 3, -1};
  private static final double[] CURVATURE = {1, 10, 0.1, 2, 5};
  private static final double[] OPTIMUM = {0, 1, -1, 2, 0.3};
  private static final int FIRST = 3; // so many of the five are in the tensor "a", the rest in "b"

  @Test
  void updatesAreThoseOfTheFormula() {
    try (var problem = new Problem()) {
      var byHand = new ByHand();
      for (int step = 0; step < 100; step++) {
        double rate = 0.1 / (1 + step);
        problem.step(rate, true);
        byHand.step(rate, true);
        assertThat(problem.x()).containsExactly(byHand.x, within(ROUNDING));
      }
      assertThat(problem.adam.updates()).isEqualTo(100);
    }
  }

  @Test
  void quadraticIsMinimised() {
    try (var problem = new Problem()) {
      for (int step = 0; step < 3000; step++) {
        problem.step(0.02, true);
      }
      assertThat(problem.x()).containsExactly(OPTIMUM, within(1e-6));
    }
  }

  /** As in PyTorch, where a tensor without a gradient is left alone. */
  @Test
  void clockOfATensorStartsWithItsFirstGradient() {
    try (var problem = new Problem()) {
      var byHand = new ByHand();
      for (int step = 0; step < 20; step++) {
        problem.step(0.1, step >= 7);
        byHand.step(0.1, step >= 7);
        assertThat(problem.x()).containsExactly(byHand.x, within(ROUNDING));
      }
      assertThat(problem.adam.starts()).containsExactlyEntriesOf(starts(0, 7));
    }
  }

  @Test
  void resumedOptimiserGoesOnBitForBit() {
    try (var whole = new Problem();
        var half = new Problem();
        var other = new Problem()) {
      for (int step = 0; step < 20; step++) {
        whole.step(0.1, step >= 7);
        if (step < 10) {
          half.step(0.1, step >= 7);
        }
      }
      other.flat.update(() -> other.flat.values().copy_(half.flat.values()));
      other.adam.m().copy_(half.adam.m());
      other.adam.v().copy_(half.adam.v());
      other.adam.resume(half.adam.updates(), half.adam.starts());
      for (int step = 10; step < 20; step++) {
        other.step(0.1, true);
      }
      assertThat(other.x()).containsExactly(whole.x());
      assertThat(other.adam.updates()).isEqualTo(20);
    }
  }

  @Test
  void startsOfAnotherModelAreRefused() {
    try (var problem = new Problem()) {
      var starts = starts(0, 0);
      starts.remove("b");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> problem.adam.resume(1, starts))
          .withMessageContaining("starts: expected one for each tensor");
    }
  }

  private static SequencedMap<String, Long> starts(long a, long b) {
    var starts = new LinkedHashMap<String, Long>();
    starts.put("a", a);
    starts.put("b", b);
    return starts;
  }

  /** The quadratic as a model of two tensors. */
  private static final class Problem implements AutoCloseable {
    final Parameters parameters = new Parameters(BACKEND, 0);
    final FlatParameters flat;
    final Adam adam;

    Problem() {
      Tensor start = BACKEND.tensor(START, START.length);
      parameters.add("a", start.narrow(0, 0, FIRST));
      parameters.add("b", start.narrow(0, FIRST, START.length - FIRST));
      flat = parameters.flat();
      adam = new Adam(BACKEND, flat);
    }

    /** One update; while {@code both} is false only "a" has a gradient. */
    void step(double rate, boolean both) {
      double[] x = x();
      double[] g = new double[x.length];
      for (int i = 0; i < (both ? x.length : FIRST); i++) {
        g[i] = CURVATURE[i] * (x[i] - OPTIMUM[i]);
      }
      Tensor gradient = BACKEND.tensor(g, g.length);
      flat.view(flat.gradient(), "a").copy_(gradient.narrow(0, 0, FIRST));
      flat.view(flat.gradient(), "b").copy_(gradient.narrow(0, FIRST, g.length - FIRST));
      adam.step(rate);
    }

    double[] x() {
      double[] x = new double[START.length];
      double[] a = Backend.doubles(flat.view(flat.values(), "a"));
      double[] b = Backend.doubles(flat.view(flat.values(), "b"));
      System.arraycopy(a, 0, x, 0, FIRST);
      System.arraycopy(b, 0, x, FIRST, x.length - FIRST);
      return x;
    }

    @Override
    public void close() {
      adam.close();
      parameters.close();
    }
  }

  /** Algorithm 1 of Kingma &amp; Ba, one number after the other. */
  private static final class ByHand {
    final double[] x = START.clone();
    final double[] m = new double[START.length];
    final double[] v = new double[START.length];
    final int[] t = new int[START.length];

    void step(double rate, boolean both) {
      for (int i = 0; i < (both ? x.length : FIRST); i++) {
        double g = CURVATURE[i] * (x[i] - OPTIMUM[i]);
        t[i]++;
        m[i] = 0.9 * m[i] + 0.1 * g;
        v[i] = 0.999 * v[i] + 0.001 * g * g;
        double mHat = m[i] / (1 - Math.pow(0.9, t[i]));
        double vHat = v[i] / (1 - Math.pow(0.999, t[i]));
        x[i] -= rate * mHat / (Math.sqrt(vHat) + 1e-8);
      }
    }
  }
}
