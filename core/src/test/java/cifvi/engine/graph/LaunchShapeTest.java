package cifvi.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.fused.ImageShape;
import cifvi.engine.fused.ImageShape.Flow;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of the paper's image models, whose batches have 100 rows. */
@ExtendWith(NativeScope.class)
class LaunchShapeTest {
  private static final int MULTIPROCESSORS = 132;
  private static final int MULTIPROCESSOR_SHARED = 228 * 1024;
  private static final int RESERVED = 1024; // for every block

  @ParameterizedTest
  @CsvSource({"SPLINE,10,32,8", "AFFINE,5,420,8", "AFFINE,5,420,64"})
  void branchesFillTheDeviceTwoBlocksAMultiprocessor(
      Flow flow, int steps, int hidden, int channels) {
    var shape = new ImageShape(flow, true, 20, steps, hidden, channels);
    try (var model = shape.build(Backend.cpu(Precision.FLOAT32))) {
      CompiledProgram compiled = DeviceCompiler.compile(model, true);
      assertThat(compiled.branches()).isEqualTo(steps + 1); // and the decoder
      var table = ProgramTable.of(compiled.layout(), true);
      var branches = LaunchShape.branches(table, compiled.branchOps(), 100);
      assertThat(branches.blocks()).isGreaterThan(3 * MULTIPROCESSORS / 2);
      assertThat(2 * (branches.sharedBytes() + RESERVED))
          .isLessThanOrEqualTo(MULTIPROCESSOR_SHARED);
      var chain = LaunchShape.chain(table, compiled.chainOps(), 100);
      assertThat(chain.blocks()).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @CsvSource({"100,1", "500,1", "2000,2", "10000,7"})
  void drawsOfAnEncoderFillTheDeviceManyTimes(int rows, int tile) {
    var shape = new ImageShape(Flow.SPLINE, false, 20, 0, 32, 8);
    try (var model = shape.build(Backend.cpu(Precision.FLOAT32))) {
      CompiledProgram compiled = DeviceCompiler.compile(model, true);
      var table = ProgramTable.of(compiled.layout(), true);
      assertThat(LaunchShape.chain(table, compiled.chainOps(), rows).tile()).isEqualTo(tile);
    }
  }
}
