package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.kernel.DeviceMemory;
import cifvi.engine.internal.graph.kernel.DeviceRng;
import cifvi.engine.internal.graph.kernel.NoiseRegions;
import cifvi.engine.internal.graph.kernel.NoiseRegions.Region;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernel's noise is that of {@link CounterRng}, at every address. */
@ExtendWith(NativeScope.class)
class NoiseKernelTest {
  private static final long SEED = 0xFEDC_BA98_7654_3210L;

  /** Of logarithm, sine and cosine in double. */
  private static final double ROUNDING = 1e-14;

  @ParameterizedTest
  @CsvSource({
    "1, 1, 0, 0",
    "7, 3, 0, 5",
    "1000, 2, 13, 4294967295",
    "33, 5, 999999999999, 70000",
    "2, 20, 4611686018427387, 1"
  })
  void equalsTheCounters(long rows, long columns, long firstRow, long step) {
    var backend = Backend.cpu(Precision.FLOAT64);
    for (int threads : new int[] {1, 32}) {
      Launcher launcher = HostKernels.of(Precision.FLOAT64).with(threads, false);
      var at = new CounterRng(backend, SEED, Purpose.LIKELIHOOD).step(step);
      Tensor memory = backend.longs(new long[DeviceRng.ADDRESS_WORDS], DeviceRng.ADDRESS_WORDS);
      long address = memory.data_ptr().address();
      long half = firstRow / 2;
      launcher.launch(
          "set_address", 1, 1, 0, address, SEED, step, half, (long) Purpose.LIKELIHOOD.code());
      var here = new DeviceRng(launcher, at);
      var captured =
          new DeviceRng(launcher, new CounterRng(backend, 1, Purpose.TRAIN), address)
              .fromRow(firstRow - half);
      for (int layer : new int[] {0, 11}) {
        double[] normals = at.fromRow(firstRow).layer(layer).normals(rows, columns);
        double[] uniforms = at.fromRow(firstRow).layer(layer).uniforms(rows, columns);
        for (var rng : new DeviceRng[] {here.fromRow(firstRow), captured}) {
          assertThat(Backend.doubles(rng.layer(layer).normal(rows, columns)))
              .containsExactly(normals, within(ROUNDING));
          assertThat(Backend.doubles(rng.layer(layer).uniform(rows, columns)))
              .containsExactly(uniforms);
        }
      }
    }
  }

  /** Some in the middle of a Philox block, some beyond one launch's share of threads. */
  @ParameterizedTest
  @CsvSource({"1, 0", "7, 5", "1000, 13"})
  void allStreamsAtOnceAreThoseOfEach(int rows, long firstRow) {
    assertAllStreams(
        Backend.cpu(Precision.FLOAT32), HostKernels.of(Precision.FLOAT32), rows, firstRow);
    var threads = HostKernels.of(Precision.FLOAT32).with(32, true);
    assertAllStreams(Backend.cpu(Precision.FLOAT32), threads, rows, firstRow);
  }

  @Tag("gpu")
  @Test
  void allStreamsAtOnceAreThoseOfEachOnTheDevice() {
    var backend = Backend.of("cuda", Precision.FLOAT32);
    assertAllStreams(backend, Cuda.common(backend), 1000, 13);
  }

  private static void assertAllStreams(Backend backend, Launcher launcher, int rows, long first) {
    Tensor address = backend.longs(new long[] {SEED, 5, 70, Purpose.TRAIN.code()}, 4);
    var captured =
        new DeviceRng(
                launcher,
                new CounterRng(backend, 0, Purpose.EVALUATE),
                address.data_ptr().address())
            .fromRow(first);
    try (var memory = new DeviceMemory(backend)) {
      Tensor vector = backend.full(7, 12L * rows);
      var regions =
          NoiseRegions.of(
              vector,
              rows,
              List.of(new Region(0, 1, 5), new Region(3, 6, 1), new Region(9, 8, 3)),
              memory);
      regions.fill(captured);
      for (var region : regions.regions()) {
        var own = region.stream() == 0 ? captured : captured.layer(region.stream() - 1);
        assertThat(Backend.doubles(regions.part(region)))
            .containsExactly(Backend.doubles(own.normal(rows, region.columns())));
      }
      for (int untouched : new int[] {0, 7, 11}) {
        assertThat(Backend.doubles(vector.narrow(0, (long) untouched * rows, rows)))
            .containsOnly(7);
      }
    }
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource(Precision.class)
  void isTheSameOnTheDevice(Precision precision) {
    var backend = Backend.of("cuda", precision);
    var at = new CounterRng(backend, SEED, Purpose.TRAIN).step(77).layer(3).fromRow(1_000_003);
    Tensor made = new DeviceRng(Cuda.common(backend), at).normal(100_000, 7);
    double difference = made.sub(at.normal(100_000, 7)).abs().max().item_double();
    System.out.printf("noise, cuda %s: largest difference %.3g%n", precision, difference);
    assertThat(difference).isLessThan(precision == Precision.FLOAT32 ? 1e-6 : ROUNDING);
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void isRoundedOnceInEitherPrecision(Precision precision) {
    var backend = Backend.cpu(precision);
    var at = new CounterRng(backend, SEED, Purpose.TRAIN).step(3);
    Tensor made = new DeviceRng(HostKernels.of(precision), at).normal(5000, 3);
    assertThat(Precision.of(made)).isEqualTo(precision);
    assertThat(made.sub(at.normal(5000, 3)).abs().max().item_double())
        .isLessThan(precision == Precision.FLOAT32 ? 1e-6 : ROUNDING);
  }
}
