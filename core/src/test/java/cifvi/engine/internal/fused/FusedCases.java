package cifvi.engine.internal.fused;

import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Coupling;
import cifvi.engine.internal.fused.FusedModels.Host;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.FusedModels.Unknown;
import cifvi.engine.internal.fused.ImageShape.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Models, rows and threads with which the fused engine is compared with the eager one. */
final class FusedCases {
  /** For {@code MethodSource}. */
  static final String ALL = "cifvi.engine.internal.fused.FusedCases#cases";

  private FusedCases() {}

  /**
   * Those with the large decoder have few rows: where one input of a relu, of so many, is nearer to
   * zero than float32 can tell, rounding decides about its gradient.
   */
  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(Shape.mog(true, 9), 1000, 2),
        Arguments.of(Shape.mog(false, 9), 1000, 1),
        Arguments.of(Shape.mog(true, 16), 33, 3),
        Arguments.of(Shape.mog(false, 16), 7, 1),
        Arguments.of(Shape.mog(true, 9).withBase(0.1, true, 3), 100, 2),
        Arguments.of(Shape.mog(false, 16).withBase(1, true, 5), 1, 3),
        Arguments.of(Shape.mog(true, 16).withBase(10, false, 3), 100, 1), // far outside the box
        Arguments.of(Shape.mog(true, 16).withBase(10, false, 3).withLu(), 100, 1),
        Arguments.of(Shape.mog(false, 9).withLu(), 100, 2),
        Arguments.of(Shape.of(5, 4, true), 33, 2),
        Arguments.of(Shape.of(20, 8, false), 97, 1),
        Arguments.of(Shape.of(32, 8, true), 7, 2),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), 7, 2),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 1, 7, 3), 7, 1), // segments
        Arguments.of(new ImageShape(Flow.SPLINE, false, 20, 0, 1, 8), 150, 2), // a VAE
        Arguments.of(new ImageShape(Flow.SPLINE, true, 20, 3, 32, 8), 33, 2),
        Arguments.of(new ImageShape(Flow.SPLINE, false, 20, 3, 32, 32), 150, 1),
        Arguments.of(new ImageShape(Flow.AFFINE, true, 20, 2, 64, 64), 33, 1),
        Arguments.of(new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 5, 2, 20, 8), 33, 2),
        Arguments.of(new ImageShape(Flow.AFFINE_AND_BATCH_NORM, true, 3, 1, 7, 4), 290, 2),
        Arguments.of(LargeDecoderShape.of(true, 1), 40, 1),
        Arguments.of(LargeDecoderShape.vae(5), 7, 2), // channels that fill no vectors
        Arguments.of(LargeDecoderShape.vae(16), 7, 2), // the paper's
        Arguments.of(new Affine(1, 3, false), 7, 1),
        Arguments.of(new Affine(2, 5, true), 33, 1),
        Arguments.of(new Affine(7, 40, false), 150, 2),
        Arguments.of(new Affine(20, 64, true), 97, 3),
        Arguments.of(new Coupling(5), 97, 2),
        Arguments.of(new OneLayer(OneLayer.Kind.SINH_ARCSINH, 0.5), 290, 2),
        Arguments.of(new OneLayer(OneLayer.Kind.MEAN_FIELD, 0.5), 290, 2),
        Arguments.of(new OneLayer(OneLayer.Kind.DATA, 0.5), 290, 2),
        Arguments.of(Host.CIF, 290, 2),
        Arguments.of(new Unknown(), 33, 2));
  }
}
