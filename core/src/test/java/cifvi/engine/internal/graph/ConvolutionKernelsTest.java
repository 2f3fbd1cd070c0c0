package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.kernel.ConvolutionKernels;
import cifvi.engine.internal.graph.kernel.DecoderPass;
import cifvi.engine.internal.graph.kernel.DeviceMemory;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.nn.FlatParameters;
import cifvi.nn.LargeDecoder;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BoolPointer;
import org.bytedeco.pytorch.LongArrayRefOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gradients of convolutions are those of libtorch in float64. */
@ExtendWith(NativeScope.class)
class ConvolutionKernelsTest {
  @ParameterizedTest
  @CsvSource({"1, 1", "3, 7", "6, 33", "16, 5", "4, 100"})
  void gradients(int multiplier, int rows) {
    assertGradients(Backend.cpu(Precision.FLOAT32), DeviceCases.host(rows), multiplier, rows);
  }

  /** Whose blocks have less shared memory, and are fewer. */
  @ParameterizedTest
  @CsvSource({"6, 33", "16, 5"})
  void gradientsAsCutForATuringDevice(int multiplier, int rows) {
    var launcher = DeviceCases.host(rows).on(Devices.T4);
    assertGradients(Backend.cpu(Precision.FLOAT32), launcher, multiplier, rows);
  }

  @Tag("gpu")
  @ParameterizedTest
  @CsvSource({"1, 1", "3, 7", "6, 33", "16, 5", "16, 100", "16, 256"})
  void gradientsOnADevice(int multiplier, int rows) {
    var cuda = Backend.of("cuda", Precision.FLOAT32);
    assertGradients(cuda, Cuda.launcher(cuda, KernelSource.passes()), multiplier, rows);
  }

  /** Halves have a scale of their own, whatever the size of numbers is. */
  @ParameterizedTest
  @CsvSource({"1e-12, 1e-9", "1e8, 1e-20", "1e12, 1e9"})
  void gradientsOfAnySize(double x, double dy) {
    var cpu = Backend.cpu(Precision.FLOAT32);
    assertGradients(cpu, DeviceCases.host(5), 4, 5, x, dy);
  }

  private static void assertGradients(
      Backend backend, Launcher launcher, int multiplier, int rows) {
    assertGradients(backend, launcher, multiplier, rows, 1, 1);
  }

  private static void assertGradients(
      Backend backend, Launcher launcher, int multiplier, int rows, double ofX, double ofDy) {
    try (var parameters = new Parameters(backend, 1);
        var memory = new DeviceMemory(backend)) {
      var decoder = new LargeDecoder(parameters, 2, multiplier);
      var flat = parameters.flat();
      var all = DecoderPass.convolutions(decoder, flat);
      List<Tensor> x = new ArrayList<>();
      List<Tensor> dy = new ArrayList<>();
      for (Convolution c : all) {
        Tensor p = images(backend, 2 * x.size(), rows, c.channelsP(), c.side());
        Tensor q = images(backend, 2 * x.size() + 1, rows, c.channelsQ(), c.sideQ());
        x.add((c.transposed() ? p : q).mul(Scalars.of(ofX)));
        dy.add((c.transposed() ? q : p).mul(Scalars.of(ofDy)));
      }
      flat.gradient().fill_(Scalars.of(ofX * ofDy)); // to be added to
      new ConvolutionKernels(launcher, flat, all, rows, memory).add(x, dy);
      for (int i = 0; i < all.size(); i++) {
        Convolution c = all.get(i);
        Tensor bias = dy.get(i).to(ScalarType.Double).sum(0, 2, 3);
        Tensor weight = weightGradient(c, x.get(i), dy.get(i));
        assertAdded(bias, flat, c.bias(), ofX * ofDy, ofDy, rows * c.placesQ());
        assertAdded(weight, flat, c.weight(), ofX * ofDy, ofX * ofDy, rows * c.places());
      }
    }
  }

  private static Tensor images(Backend backend, int stream, int rows, int channels, int side) {
    Tensor values =
        new CounterRng(backend, 1, Purpose.EVALUATE)
            .layer(stream)
            .normal(rows, (long) channels * side * side);
    return values.view(rows, channels, side, side);
  }

  /** That of the plain convolution that takes Q to P. */
  private static Tensor weightGradient(Convolution c, Tensor x, Tensor dy) {
    Tensor p = (c.transposed() ? x : dy).to(ScalarType.Double);
    Tensor q = (c.transposed() ? dy : c.relu() ? x.relu() : x).to(ScalarType.Double);
    long[] stride = {c.transposed() ? 2 : 1, c.transposed() ? 2 : 1};
    long[] padding = {c.taps() / 2, c.taps() / 2};
    Tensor weight = p.new_zeros(c.channelsP(), c.channelsQ(), c.taps(), c.taps());
    var wanted = new BoolPointer(3).put(0, false).put(1, true).put(2, false);
    return torch
        .convolution_backward(
            p,
            q,
            weight,
            new LongArrayRefOptional(),
            stride,
            padding,
            new long[] {1, 1},
            false,
            new long[] {0, 0},
            1,
            wanted)
        .get1();
  }

  /** Sums of {@code terms} numbers of about {@code size} to what was there before. */
  private static void assertAdded(
      Tensor sums, FlatParameters flat, int at, double before, double size, int terms) {
    double[] expected = Backend.doubles(sums.flatten().add(Scalars.of(before)));
    double[] actual = Backend.doubles(flat.gradient().narrow(0, at, expected.length));
    double largest = Math.max(before, size);
    assertThat(actual).containsExactly(expected, within(1e-5 * largest * Math.sqrt(terms)));
  }
}
