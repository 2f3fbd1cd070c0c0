package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.kernel.DeviceAdam;
import cifvi.nn.FlatParameters;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Adam;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.List;
import java.util.OptionalDouble;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kernels against {@link Adam} itself on the same gradients, late clocks and masks included.
 */
@ExtendWith(NativeScope.class)
class DeviceAdamTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final double CLIP = 3;
  private static final String LATE = "late";

  @ParameterizedTest
  @EnumSource(Precision.class)
  void movesAsAdamDoes(Precision precision) {
    var launcher = HostKernels.of(precision);
    assertMovesAsAdamDoes(launcher, Backend.cpu(precision));
    assertMovesAsAdamDoes(launcher.with(64, false), Backend.cpu(precision));
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource(Precision.class)
  void movesAsAdamDoesOnTheDevice(Precision precision) {
    var backend = Backend.of("cuda", precision);
    assertMovesAsAdamDoes(Cuda.common(backend), backend);
  }

  private static void assertMovesAsAdamDoes(Launcher launcher, Backend backend) {
    double rounding = backend.precision() == Precision.FLOAT32 ? 2e-6 : 1e-13;
    try (var expected = new Side(backend);
        var actual = new Side(backend);
        var device = actual.device(launcher)) {
      device.start();
      for (int i = 0; i < 25; i++) {
        expected.gradient(i);
        actual.gradient(i);
        double norm = expected.step(0.1 / (1 + i));
        StepInfo info = actual.step(device, i, 0.1 / (1 + i), -3.5);
        assertThat(info.applied()).isTrue();
        assertThat(info.objective()).isEqualTo(-3.5);
        assertThat(info.gradientNorm()).isCloseTo(norm, within(1e-5 * norm));
      }
      device.stop();
      for (int i = 0; i < expected.state().size(); i++) {
        assertThat(Backend.doubles(actual.state().get(i)))
            .containsExactly(Backend.doubles(expected.state().get(i)), within(rounding));
      }
      assertThat(actual.adam.updates()).isEqualTo(25);
      assertThat(actual.adam.starts()).isEqualTo(expected.adam.starts()).containsEntry(LATE, 7L);
    }
  }

  @Test
  void goesOnBitForBit() {
    Launcher launcher = HostKernels.of(Precision.FLOAT32);
    try (var whole = new Side(FLOAT32);
        var half = new Side(FLOAT32);
        var other = new Side(FLOAT32)) {
      run(launcher, whole, 0, 20);
      run(launcher, half, 0, 9);
      other.take(half);
      run(launcher, other, 9, 20);
      for (int i = 0; i < whole.state().size(); i++) {
        assertThat(Backend.doubles(other.state().get(i)))
            .containsExactly(Backend.doubles(whole.state().get(i)));
      }
      assertThat(other.adam.starts()).isEqualTo(whole.adam.starts());
    }
  }

  @Test
  void theOrderOfThreadsDoesNotMatter() {
    HostLauncher launcher = HostKernels.of(Precision.FLOAT32);
    try (var one = new Side(FLOAT32);
        var two = new Side(FLOAT32)) {
      run(launcher.with(64, false), one, 0, 9);
      run(launcher.with(64, true), two, 0, 9);
      for (int i = 0; i < one.state().size(); i++) {
        assertThat(Backend.doubles(two.state().get(i)))
            .containsExactly(Backend.doubles(one.state().get(i)));
      }
    }
  }

  private static void run(Launcher launcher, Side side, int from, int to) {
    try (var device = side.device(launcher)) {
      device.start();
      for (int i = from; i < to; i++) {
        side.gradient(i);
        side.step(device, i, 0.01, 1);
      }
      device.stop();
    }
  }

  @Test
  void whatIsNotFiniteOrAWarmUpChangesNothing() {
    Launcher launcher = HostKernels.of(Precision.FLOAT32);
    try (var side = new Side(FLOAT32);
        var device = side.device(launcher)) {
      run(launcher, side, 0, 3);
      device.start();
      var before = side.state().stream().map(Backend::doubles).toList();
      side.gradient(3);
      assertThat(side.step(device, 3, 0.1, Double.NaN).applied()).isFalse();
      side.gradient(4);
      side.flat.gradient().narrow(0, 5, 1).fill_(new Scalar(Double.POSITIVE_INFINITY));
      StepInfo infinite = side.step(device, 4, 0.1, 1);
      assertThat(infinite.applied()).isFalse();
      assertThat(infinite.gradientNorm()).isInfinite();
      side.gradient(5);
      device.warmUp(side.noise);
      device.update(side.backend.full(1, 1));
      assertThat(device.applied().item_bool()).isFalse();
      assertThat(side.state().stream().map(Backend::doubles).toList())
          .usingRecursiveComparison()
          .isEqualTo(before);
      device.stop();
      assertThat(side.adam.updates()).isEqualTo(3);
    }
  }

  /** A model of a large tensor, a masked one and one whose gradient comes late. */
  private static final class Side implements AutoCloseable {
    final Backend backend;
    final Parameters parameters;
    final FlatParameters flat;
    final Adam adam;
    final CounterRng noise;

    Side(Backend backend) {
      this.backend = backend;
      parameters = new Parameters(backend, 3);
      noise = new CounterRng(backend, 9, Purpose.TRAIN);
      parameters.uniform("large", 1, 5001);
      Tensor seen = noise.uniform(7, 9).gt(new Scalar(0.4));
      parameters.masked("masked", 1, seen.to(backend.precision().scalarType()));
      parameters.uniform(LATE, 1, 11);
      flat = parameters.flat();
      adam = new Adam(backend, flat);
    }

    DeviceAdam device(Launcher launcher) {
      return new DeviceAdam(
          launcher, backend, flat, adam, new StepOptions(OptionalDouble.of(CLIP), 0, 1));
    }

    /** Of step i, not masked yet, small enough not to be clipped at times. */
    void gradient(int i) {
      for (String name : flat.slices().keySet()) {
        Tensor g = flat.view(flat.gradient(), name);
        double scale = name.equals(LATE) && i < 7 ? 0 : i % 2 == 0 ? 1 : 0.01;
        g.copy_(noise.step(i).normal(1, g.numel()).view(g.shape()).mul(new Scalar(scale)));
      }
    }

    /** As the eager engine does it; returns the norm. */
    double step(double rate) {
      flat.maskGradient();
      double norm = flat.gradient().norm().item_double();
      double factor = CLIP / (norm + StepOptions.CLIP_EPSILON);
      if (factor < 1) {
        flat.gradient().mul_(new Scalar(factor));
      }
      adam.step(rate);
      return norm;
    }

    StepInfo step(DeviceAdam device, long i, double rate, double objective) {
      device.next(noise.step(i), rate, 2);
      device.update(backend.full(objective, 1));
      return device.reports(List.of(0L, 0L, i)).getLast();
    }

    List<Tensor> state() {
      return List.of(flat.values(), flat.effective(), adam.m(), adam.v());
    }

    void take(Side other) {
      flat.update(() -> flat.values().copy_(other.flat.values()));
      adam.m().copy_(other.adam.m());
      adam.v().copy_(other.adam.v());
      adam.resume(other.adam.updates(), other.adam.starts());
    }

    @Override
    public void close() {
      adam.close();
      parameters.close();
    }
  }
}
