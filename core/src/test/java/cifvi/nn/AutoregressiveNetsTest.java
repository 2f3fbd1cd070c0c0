package cifvi.nn;

import static cifvi.nn.Conditioner.COUPLING;
import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.util.List;
import java.util.function.Function;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Outputs of feature i depend on the inputs that they should see and on no other, by the Jacobian.
 */
@ParameterizedClass
@MethodSource("cases")
@ExtendWith(NativeScope.class)
class AutoregressiveNetsTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final long BATCH = 32;

  private final Case made;
  private Parameters parameters;
  private AutoregressiveNet net;
  private Tensor w;

  AutoregressiveNetsTest(Case made) {
    this.made = made;
  }

  record Case(
      String name, int features, int outputs, Function<Parameters, AutoregressiveNet> constructor) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() {
    return List.of(
        new Case("residual, d = 1", 1, 23, p -> new ResidualMade(p, 1, 8, 2, 23)),
        new Case("residual, d = 2", 2, 23, p -> new ResidualMade(p, 2, 8, 2, 23)),
        new Case("residual, d = 5", 5, 11, p -> new ResidualMade(p, 5, 16, 2, 11)),
        new Case("residual, no block", 5, 3, p -> new ResidualMade(p, 5, 16, 0, 3)),
        new Case("Mlp, d = 1", 1, 2, p -> new MaskedMlp(p, 1, 8, 8)),
        new Case("Mlp, d = 2", 2, 2, p -> new MaskedMlp(p, 2, 8, 8)),
        new Case("Mlp, d = 5", 5, 2, p -> new MaskedMlp(p, 5, 16, 12)),
        new Case("residual coupling", 5, 11, p -> new ResidualMade(p, 5, COUPLING, 16, 2, 11)),
        new Case("Mlp coupling", 5, 2, p -> new MaskedMlp(p, 5, COUPLING, 16, 12)));
  }

  @BeforeEach
  void create() {
    parameters = new Parameters(BACKEND, 1);
    net = made.constructor().apply(parameters);
    w = Tensors.normal(BACKEND, 2, BATCH, made.features());
  }

  @Test
  void shapesAreBatchFeaturesOutputs() {
    assertThat(net.features()).isEqualTo(made.features());
    assertThat(net.apply(w)).hasShape(BATCH, made.features(), made.outputs());
    assertThat(net.apply(w, 0, 1)).hasShape(BATCH, 1, made.outputs());
  }

  @Test
  void aFreshNetworkIsAutoregressive() {
    assertAutoregressive();
  }

  @Test
  void aTrainedNetworkIsAutoregressive() {
    Tensors.jitter(parameters, 1, 0.3);
    assertAutoregressive();
  }

  private void assertAutoregressive() {
    for (int i = 0; i < made.features(); i++) {
      int feature = i;
      Tensor jacobian = Tensors.jacobian(v -> net.apply(v).select(1, feature), w);
      Tensor dependence = jacobian.abs().sum(0, 1); // [features]
      int seen = seen(i);
      assertThat(dependence.narrow(0, 0, seen)).as("inputs of %d", i).hasNoZero();
      assertThat(dependence.narrow(0, seen, made.features() - seen)).as("not of %d", i).isAllZero();
    }
  }

  /** All inputs before i or, of five in a coupling, the first two for the last three. */
  private int seen(int i) {
    return switch (net.conditioner()) {
      case AUTOREGRESSIVE -> i;
      case COUPLING -> i < 2 ? 0 : 2;
    };
  }

  @Test
  void aGroupOfFeaturesIsASliceOfAll() {
    Tensors.jitter(parameters, 1, 0.3);
    for (int from = 0, to; from < made.features(); from = to) {
      to = net.conditioner().end(from, made.features());
      assertThat(net.apply(w, from, to))
          .isCloseTo(net.apply(w).narrow(1, from, (long) to - from), 1e-14);
    }
  }

  @Test
  void everyOutputIsUsed() {
    Tensors.jitter(parameters, 1, 0.3);
    assertThat(net.apply(w)).isFinite().hasNoZero();
  }
}
