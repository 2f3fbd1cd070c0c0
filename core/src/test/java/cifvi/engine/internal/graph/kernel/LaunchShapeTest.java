package cifvi.engine.internal.graph.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.fused.LargeDecoderShape;
import cifvi.engine.internal.graph.Coverage;
import cifvi.engine.internal.graph.Devices;
import cifvi.engine.internal.graph.program.DeviceCompiler;
import cifvi.engine.internal.graph.program.OpTable;
import cifvi.engine.internal.graph.program.Program;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Objective;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of the paper's models, whose batches have 100 images or 1000 draws. */
@ExtendWith(NativeScope.class)
class LaunchShapeTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Case CIF_NSF = new ImageShape(Flow.SPLINE, true, 20, 10, 32, 8);
  private static final Case CIF_MAF = new ImageShape(Flow.AFFINE, true, 20, 5, 420, 8);
  private static final Case WIDE_CIF_MAF = new ImageShape(Flow.AFFINE, true, 20, 5, 420, 64);

  private static LaunchShape chain(Case shape, int rows, DeviceLimits limits) {
    return of(shape, c -> LaunchShape.chain(c.table(), c.program().chainOps(), rows, limits));
  }

  private static LaunchShape branches(Case shape, int rows, DeviceLimits limits) {
    return of(shape, c -> LaunchShape.branches(c.table(), c.program().branchOps(), rows, limits));
  }

  private record Compiled(Program program, OpTable table) {}

  private static LaunchShape of(Case shape, Function<Compiled, LaunchShape> cut) {
    try (var model = shape.build(FLOAT32)) {
      Program program =
          DeviceCompiler.compile(DeviceCompiler.plan(model, new Objective.Elbo()), true);
      return cut.apply(new Compiled(program, OpTable.of(program.layout(), true)));
    }
  }

  @ParameterizedTest
  @CsvSource({"SPLINE,10,32,8", "AFFINE,5,420,8", "AFFINE,5,420,64"})
  void branchesFillTheDeviceTwoBlocksAMultiprocessor(
      Flow flow, int steps, int hidden, int channels) {
    var shape = new ImageShape(flow, true, 20, steps, hidden, channels);
    var branches = branches(shape, 100, Devices.H200);
    assertThat(branches.blocks())
        .isEqualTo(100 * (steps + 1)) // and the decoder
        .isGreaterThan(3 * Devices.H200.multiprocessors() / 2);
    assertThat(2 * (branches.sharedBytes() + Devices.H200.reserved()))
        .isLessThanOrEqualTo(Devices.H200.multiprocessorShared());
    assertThat(chain(shape, 100, Devices.H200).blocks()).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource({"100,1", "500,1", "2000,2", "10000,7"})
  void drawsOfAnEncoderFillTheDeviceManyTimes(int rows, int tile) {
    var vae = new ImageShape(Flow.SPLINE, false, 20, 0, 32, 8);
    assertThat(chain(vae, rows, Devices.H200).tile()).isEqualTo(tile);
  }

  /** The shapes that the figures of an H200 were measured with. */
  @Test
  void onAnH200() {
    assertThat(chain(Shape.mog(true, 9), 1000, Devices.H200))
        .isEqualTo(new LaunchShape(8, 125, 256, 15808));
    assertThat(chain(CIF_NSF, 100, Devices.H200)).isEqualTo(new LaunchShape(1, 100, 256, 37984));
    assertThat(branches(CIF_NSF, 100, Devices.H200))
        .isEqualTo(new LaunchShape(1, 1100, 256, 28676));
    assertThat(chain(CIF_MAF, 100, Devices.H200)).isEqualTo(new LaunchShape(1, 100, 512, 25944));
    assertThat(branches(CIF_MAF, 10_000, Devices.H200))
        .isEqualTo(new LaunchShape(7, 8574, 256, 108724));
  }

  /** Fewer multiprocessors have more rows each, and less memory fewer. */
  @Test
  void onOtherDevices() {
    assertThat(chain(Shape.mog(true, 9), 500, Devices.H200).tile()).isEqualTo(4);
    assertThat(chain(Shape.mog(true, 9), 500, Devices.A100).tile()).isEqualTo(5);
    assertThat(chain(Shape.mog(true, 9), 500, Devices.T4).tile()).isEqualTo(8);
    assertThat(chain(CIF_NSF, 100, Devices.T4)).isEqualTo(new LaunchShape(3, 34, 256, 58048));
    for (var limits : new DeviceLimits[] {Devices.A100, Devices.RTX_4090, Devices.T4}) {
      for (int rows : new int[] {1, 100, 10_000}) {
        for (Case shape : new Case[] {CIF_NSF, CIF_MAF}) {
          assertThat(chain(shape, rows, limits).sharedBytes())
              .isLessThanOrEqualTo(limits.blockShared());
          assertThat(2 * (branches(shape, rows, limits).sharedBytes() + limits.reserved()))
              .isLessThanOrEqualTo(limits.multiprocessorShared());
        }
      }
    }
  }

  /** What does not fit is libtorch's, and the log gets the reason. */
  @Test
  void aRowThatDoesNotFit() {
    try (var model = WIDE_CIF_MAF.build(FLOAT32)) {
      var elbo = new Objective.Elbo();
      assertThat(Coverage.obstacle(model, elbo, Devices.RTX_4090)).isEmpty();
      assertThat(Coverage.obstacle(model, elbo, Devices.T4))
          .contains("a row needs 68 KB of shared memory, the device has 64");
    }
  }

  @Test
  void aConvolutionThatDoesNotFit() {
    var small = new DeviceLimits(20, 32 * 1024, 32 * 1024, 0, true);
    try (var model = LargeDecoderShape.of(false, 16).build(FLOAT32)) {
      var elbo = new Objective.Elbo();
      assertThat(Coverage.obstacle(model, elbo, Devices.RTX_4090)).isEmpty();
      assertThat(Coverage.obstacle(model, elbo, small))
          .contains("a convolution needs 52 KB of shared memory, the device has 32");
      assertThat(Coverage.obstacle(model, elbo, Devices.T4))
          .contains(
              "a convolution needs matrix units, which GPUs have from compute capability 8.0 on");
    }
  }
}
