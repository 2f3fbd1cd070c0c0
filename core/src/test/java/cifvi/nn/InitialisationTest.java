package cifvi.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every entry starts uniform on ±1/√fan, the fans being those of the released code. */
@ExtendWith(NativeScope.class)
class InitialisationTest {
  /** The largest of n uniforms lies more than this many n-ths below the bound once in a million. */
  private static final double MAXIMUM = 14;

  private static final double STANDARD_ERRORS = 5;

  /**
   * A network with the fans of its parts.
   *
   * @param fans beginnings of names with their fans; the longest that fits counts
   */
  record Case(String name, String fans, Consumer<Parameters> constructor) {
    double bound(String parameter) {
      String fan =
          Arrays.stream(fans.split(" ", -1))
              .filter(f -> parameter.startsWith(f.substring(0, f.indexOf('='))))
              .max(Comparator.comparingInt(f -> f.indexOf('=')))
              .orElseThrow(() -> new AssertionError("no fan for " + parameter));
      return 1 / Math.sqrt(Double.parseDouble(fan.substring(fan.indexOf('=') + 1)));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() {
    String residual = "initial=5 blocks.0.linear0=24 blocks.0.linear1=1e6 final=24";
    String large =
        "initial=32 block0=288 block1=144 block1.conv1=288 block2=144 block3=72 block3.conv1=144"
            + " block4=72 block5=36 block5.conv1=72 final=4";
    return List.of(
        new Case("linear", "weight=50 bias=50", p -> new Linear(p, 50, 40)),
        new Case("Mlp", "0.=3 1.=10", p -> new Mlp(p, 3, 10, 4)),
        new Case("residual MADE", residual, p -> new ResidualMade(p, 5, 24, 1, 11)),
        new Case("masked Mlp", "0.=5 1.=24 2.=30", p -> new MaskedMlp(p, 5, 24, 30)),
        new Case("encoder", "conv.=16 fc.=1568", p -> new ConvEncoder(p, 8, 40)),
        new Case("small decoder", "fc.=20 convt.=16", p -> new SmallDecoder(p, 20, 8)),
        new Case("large decoder", large, p -> new LargeDecoder(p, 32, 4)),
        new Case(
            "joint network",
            "fc_latent=20 convnet.conv=32 convnet.fc=1568",
            p -> new ImageVectorNet(p, 20, 8, 4)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void entriesFillTheirIntervalEvenly(Case network) {
    var parameters = new Parameters(Backend.cpu(Precision.FLOAT64), 1);
    network.constructor().accept(parameters);
    for (String name : parameters.names()) {
      assertUniform(name, used(parameters, name), network.bound(name));
    }
  }

  private static double[] used(Parameters parameters, String name) {
    double[] all = Backend.doubles(Tensors.get(parameters.state(), name));
    return Arrays.stream(all).filter(v -> v != 0).toArray(); // masked entries are 0
  }

  private static void assertUniform(String name, double[] values, double bound) {
    double largest = Arrays.stream(values).map(Math::abs).max().orElseThrow();
    double mean = Arrays.stream(values).average().orElseThrow();
    double standardError = bound / Math.sqrt(3.0 * values.length);
    assertThat(largest).as(name).isBetween(bound * (1 - MAXIMUM / values.length), bound);
    assertThat(mean).as(name).isCloseTo(0, within(STANDARD_ERRORS * standardError));
  }
}
