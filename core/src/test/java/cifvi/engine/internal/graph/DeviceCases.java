package cifvi.engine.internal.graph;

import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Coupling;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.FusedModels.Unknown;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.fused.LargeDecoderShape;
import cifvi.engine.internal.fused.OneLayer;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Models and rows with which CUDA kernels are compared with eager, and what that takes. */
final class DeviceCases {
  /** For {@code MethodSource}. */
  static final String ALL = "cifvi.engine.internal.graph.DeviceCases#cases";

  static final long SEED = 3;

  /** Of training before gradients are compared. */
  static final int STEPS = 10;

  /** Batch norm inside G: what q drew before it is needed behind it. */
  static final Case CIF_AND_BATCH_NORM =
      new ImageShape(Flow.AFFINE_AND_BATCH_NORM, true, 5, 2, 20, 8);

  private DeviceCases() {}

  /** Three warps a block; for many rows, which takes long, one thread. */
  static HostLauncher host(int rows) {
    return HostKernels.program().with(rows < 100 ? 96 : 1, false);
  }

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(Shape.mog(true, 9), 1000),
        Arguments.of(Shape.mog(false, 9), 1000),
        Arguments.of(Shape.mog(true, 16), 33),
        Arguments.of(Shape.mog(true, 9).withBase(0.1, true, 3), 100),
        Arguments.of(Shape.mog(false, 16).withBase(1, true, 5), 1),
        Arguments.of(Shape.mog(true, 16).withBase(10, false, 3), 100), // far outside the box
        Arguments.of(Shape.of(5, 4, true), 33),
        Arguments.of(Shape.of(20, 8, false), 97),
        Arguments.of(Shape.of(32, 8, true), 7),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), 7),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 20, 3, 32, 8), 33),
        Arguments.of(new ImageShape(Flow.SPLINE, false, 20, 3, 32, 32), 150),
        Arguments.of(new ImageShape(Flow.AFFINE, true, 20, 2, 64, 64), 33),
        Arguments.of(new ImageShape(Flow.AFFINE, false, 5, 3, 20, 8), 7),
        Arguments.of(new Affine(5, 20, true), 1000),
        Arguments.of(new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 20, 3, 64, 8), 100),
        Arguments.of(CIF_AND_BATCH_NORM, 33),
        Arguments.of(new Coupling(5), 33),
        Arguments.of(new MixedNetworks(true), 7),
        Arguments.of(new MixedNetworks(false), 300), // tiles of several rows
        Arguments.of(new OwnNetworks(Shape.mog(true, 9)), 33),
        Arguments.of(new OneLayer(OneLayer.Kind.SINH_ARCSINH, 0.5), 290),
        Arguments.of(new OneLayer(OneLayer.Kind.MEAN_FIELD, 0.5), 290),
        Arguments.of(new OneLayer(OneLayer.Kind.DATA, 0.5), 290),
        Arguments.of(new Unknown(), 33), // a segment in the middle
        Arguments.of(new OwnNetworks(CIF_AND_BATCH_NORM), 33),
        Arguments.of(LargeDecoderShape.of(true, 3), 7), // 24, 12, 6 and 3 channels
        Arguments.of(LargeDecoderShape.of(false, 5), 3),
        Arguments.of(LargeDecoderShape.vae(3), 7),
        Arguments.of(LargeDecoderShape.of(false, 1), 1),
        Arguments.of(LargeDecoderShape.of(false, 16), 4)); // as large as the paper's
  }

  static CounterRng rng(Backend backend, int draw) {
    return new CounterRng(backend, SEED, Purpose.EVALUATE).step(4 + draw).fromRow(13);
  }
}
