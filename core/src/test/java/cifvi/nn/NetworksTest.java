package cifvi.nn;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sizes, shapes and the order of channels of the paper's networks. */
@ExtendWith(NativeScope.class)
class NetworksTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT32);
  private static final long BATCH = 3;

  private final Parameters parameters = new Parameters(BACKEND, 1);

  private static Tensor images() {
    return Tensors.normal(BACKEND, 2, BATCH, Images.PIXELS).view(BATCH, 1, 28, 28);
  }

  private static Tensor vectors(long features) {
    return Tensors.normal(BACKEND, 3, BATCH, features);
  }

  /** As many outputs as there are inputs are multiples of them at first. */
  @Test
  void aPerceptronMayStartLinear() {
    Tensor x = vectors(2).tanh();
    var network = new Mlp(parameters, 2, 8, 8, 5);
    network.startLinear(3, 3, 20);
    network.rescale(3, 2, 0, -2);
    Tensor y = network.apply(x).detach();
    assertThat(y.narrow(1, 0, 2)).isCloseTo(x.mul(new Scalar(3)), 0.02);
    assertThat(y.narrow(1, 3, 2)).isCloseTo(torch.full_like(y.narrow(1, 3, 2), new Scalar(-2)), 0);
  }

  @Test
  void theEncoderHasThePapersSize() {
    var encoder = new ConvEncoder(parameters, 8, 2 * 20);
    assertThat(parameters.count()).isEqualTo(62_896);
    assertThat(encoder.convolved(images())).hasShape(BATCH, 8, 14, 14);
    assertThat(encoder.apply(images())).hasShape(BATCH, 40).isFinite();
  }

  @Test
  void theSmallDecoderHasThePapersSize() {
    var decoder = new SmallDecoder(parameters, 20, 8);
    assertThat(parameters.count()).isEqualTo(33_057);
    assertThat(decoder.hidden(vectors(20))).hasShape(BATCH, 1568);
    assertThat(decoder.apply(vectors(20))).hasShape(BATCH, 1, 28, 28).isFinite();
  }

  @Test
  void theLargeDecoderHasThePapersSize() {
    var decoder = new LargeDecoder(parameters, 32, 16);
    assertThat(parameters.count()).isEqualTo(842_641);
    assertThat(decoder.apply(vectors(32))).hasShape(BATCH, 1, 28, 28).isFinite();
  }

  @Test
  void theLargeDecoderGrowsWhileItsChannelsHalve() {
    var stages = new LargeDecoder(parameters, 32, 2).stages(vectors(32));
    long[][] shapes = {{16, 4}, {16, 4}, {8, 7}, {8, 7}, {4, 14}, {4, 14}, {2, 28}};
    assertThat(stages).hasSize(shapes.length);
    for (int i = 0; i < shapes.length; i++) {
      assertThat(stages.get(i)).hasShape(BATCH, shapes[i][0], shapes[i][1], shapes[i][1]);
    }
  }

  @Test
  void theJointNetworkHasThePapersSize() {
    var small = new ImageVectorNet(parameters.in("small"), 20, 8, 4);
    new ImageVectorNet(parameters.in("large"), 20, 64, 4);
    assertThat(parameters.in("small").count()).isEqualTo(7_569);
    assertThat(parameters.in("large").count()).isEqualTo(53_321);
    assertThat(small.apply(vectors(20), images())).hasShape(BATCH, 4).isFinite();
  }

  @Test
  void theMadesHaveThePapersSizes() {
    new ResidualMade(parameters.in("spline"), 2, 32, 2, 23);
    new MaskedMlp(parameters.in("affine"), 20, 420, 420);
    assertThat(parameters.in("spline").count()).isEqualTo(5_838); // five of them: 29,190
    assertThat(parameters.in("affine").count()).isEqualTo(202_480);
  }

  @Test
  void theSideNetworksOfTheToyProblemHaveThePapersSize() {
    new Mlp(parameters.in("st"), 1, 10, 10, 4);
    new Mlp(parameters.in("q"), 2, 10, 10, 2);
    new Mlp(parameters.in("r"), 2, 10, 10, 2);
    assertThat(parameters.count()).isEqualTo(498);
  }

  @Test
  void anMlpHasTanhBetweenItsLinearMaps() {
    var mlp = new Mlp(parameters, 2, 3, 4, 1);
    Tensor x = vectors(2);
    Tensor h = mlp.layers().get(0).apply(x).tanh();
    Tensor expected = mlp.layers().get(2).apply(mlp.layers().get(1).apply(h).tanh());
    assertThat(mlp.apply(x)).isExactly(expected);
  }

  @Test
  void theVectorIsTheFirstChannelAndTheImageTheSecond() {
    var net = new ImageVectorNet(parameters, 20, 8, 4);
    FlatParameters flat = parameters.flat();
    Tensor weight = flat.view(flat.values(), "convnet.conv.weight"); // [8, 2, 4, 4]
    Tensor before = net.apply(vectors(20), images());
    flat.update(() -> weight.select(1, 0).zero_());
    assertThat(net.apply(vectors(20), images()))
        .isExactly(net.apply(BACKEND.zeros(BATCH, 20), images()));
    assertThat(before.sub(net.apply(vectors(20), images()))).hasNoZero();
  }

  @Test
  void picturesAreEnlargedBilinearly() {
    // columns 0 to 6 become (i + 1/2)/4 - 1/2, with replicated edges
    double[] small = new double[49];
    double[] large = new double[784];
    for (int i = 0; i < 49; i++) {
      small[i] = i % 7;
    }
    for (int i = 0; i < 784; i++) {
      large[i] = Math.clamp((i % 28 + 0.5) / 4 - 0.5, 0.0, 6.0);
    }
    Tensor enlarged =
        new ImageVectorNet(parameters, 2, 1, 1).upsampled(BACKEND.tensor(small, 1, 49));
    assertThat(enlarged).isCloseTo(BACKEND.tensor(large, 1, 1, 28, 28), 1e-6);
  }

  @Test
  void aWrongShapeIsNamed() {
    var encoder = new ConvEncoder(parameters.in("e"), 8, 4);
    assertRefused(
        () -> encoder.apply(BACKEND.zeros(3, 784)), "x: expected [batch, 1, 28, 28], got [3, 784]");
    var joint = new ImageVectorNet(parameters.in("r"), 20, 8, 4);
    assertRefused(
        () -> joint.apply(vectors(20), BACKEND.zeros(2, 1, 28, 28)),
        "x: expected [3, 1, 28, 28], got [2, 1, 28, 28]");
    assertRefused(() -> joint.apply(vectors(19), images()), "w: expected [batch, 20], got [3, 19]");
    var mlp = new Mlp(parameters.in("mlp"), 4, 2);
    assertRefused(() -> mlp.apply(vectors(5)), "x: expected [batch, 4], got [3, 5]");
    assertRefused(
        () -> new Mlp(parameters, 4), "widths: expected at least inputs and outputs, got 1");
  }

  private static void assertRefused(Runnable action, String message) {
    assertThatIllegalArgumentException().isThrownBy(action::run).withMessage(message);
  }
}
