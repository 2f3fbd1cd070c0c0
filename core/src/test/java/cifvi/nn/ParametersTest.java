package cifvi.nn;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import java.util.List;
import java.util.TreeMap;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Names, starting values, masks, and strict loading. */
@ExtendWith(NativeScope.class)
class ParametersTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);

  private final Parameters parameters = new Parameters(BACKEND, 1);

  /** Two trained tensors and a buffer under dotted names. */
  private static Parameters small(long seed) {
    var parameters = new Parameters(BACKEND, seed);
    parameters.in("a").uniform("weight", 1, 3, 2);
    parameters.in("b").in("0").add("bias", BACKEND.full(2, 5));
    parameters.in("b").buffer("order", BACKEND.longs(new long[] {1, 0}, 2));
    return parameters;
  }

  @Test
  void namesAreDottedAndInOrderOfRegistration() {
    assertThat(small(1).names()).containsExactly("a.weight", "b.0.bias");
    assertThat(small(1).buffers()).containsOnlyKeys("b.order");
    assertThat(small(1).state()).containsOnlyKeys("a.weight", "b.0.bias", "b.order");
  }

  @Test
  void countsGoByPrefix() {
    for (String child : List.of("1", "10", "2")) {
      parameters.in("layers").in(child).add("weight", BACKEND.zeros(child.length(), 7));
    }
    assertThat(parameters.in("layers").in("1").count()).isEqualTo(7);
    assertThat(parameters.in("layers").count()).isEqualTo(28);
    assertThat(parameters.count()).isEqualTo(28);
  }

  @Test
  void aNameIsTakenOnce() {
    parameters.in("a").add("t", BACKEND.zeros(1));
    parameters.in("a").buffer("b", BACKEND.zeros(1));
    for (String name : List.of("a.t", "a.b")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parameters.uniform(name, 1, 2))
          .withMessage(name + " is already registered");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parameters.buffer(name, BACKEND.zeros(1)))
          .withMessage(name + " is already registered");
    }
  }

  @Test
  void nothingIsAddedOnceInUse() {
    parameters.add("a", BACKEND.zeros(1));
    parameters.flat();
    assertThatIllegalStateException()
        .isThrownBy(() -> parameters.in("late").add("b", BACKEND.zeros(1)))
        .withMessage("cannot add late.b: the parameters are in use already");
    assertThatIllegalStateException()
        .isThrownBy(() -> parameters.in("late").buffer("c", BACKEND.zeros(1)))
        .withMessage("cannot add late.c: the parameters are in use already");
  }

  @Test
  void startingValuesDependOnSeedAndNameAlone() {
    Tensor alone = new Parameters(BACKEND, 1).in("layer").uniform("weight", 1, 3, 2);
    parameters.in("another").uniform("weight", 1, 50);
    Tensor later = parameters.in("layer").uniform("weight", 1, 3, 2);
    assertThat(later).isExactly(alone);
    Tensor otherSeed = new Parameters(BACKEND, 2).in("layer").uniform("weight", 1, 3, 2);
    Tensor otherName = parameters.in("layer").uniform("bias", 1, 3, 2);
    assertThat(later.sub(otherSeed)).hasNoZero();
    assertThat(later.sub(otherName)).hasNoZero();
  }

  @Test
  void startingValuesAreCopied() {
    Tensor start = BACKEND.full(1, 3);
    Tensor value = parameters.add("a", start);
    Tensor buffer = parameters.buffer("b", start);
    start.zero_();
    assertThat(value).isExactly(BACKEND.full(1, 3));
    assertThat(buffer).isExactly(BACKEND.full(1, 3));
  }

  @Test
  void maskedEntriesTakeNoPartBeforeAndAfterFlattening() {
    Tensor mask = BACKEND.tensor(new double[] {1, 0, 0, 1}, 2, 2);
    Tensor weight = parameters.masked("weight", 1, mask);
    assertThat(weight.ne(Scalars.of(0))).isExactly(mask);
    parameters.flat();
    assertThat(weight.ne(Scalars.of(0))).isExactly(mask);
    Tensors.jitter(parameters, 1, 1);
    assertThat(weight.ne(Scalars.of(0))).isExactly(mask);
  }

  @Test
  void maskedEntriesGetNoGradientAndKeepTheirValue() {
    Tensor mask = BACKEND.tensor(new double[] {1, 0, 0, 1}, 2, 2);
    Tensor weight = parameters.masked("weight", 1, mask);
    Tensors.jitter(parameters, 1, 1);
    FlatParameters flat = parameters.flat();
    Tensor before = flat.view(flat.values(), "weight").clone();
    weight.mul(weight).add(weight).sum().backward();
    flat.maskGradient();
    assertThat(flat.view(flat.gradient(), "weight").ne(Scalars.of(0))).isExactly(mask);
    flat.update(() -> flat.values().sub_(flat.gradient()));
    Tensor moved = flat.view(flat.values(), "weight").sub(before);
    assertThat(moved.ne(Scalars.of(0))).isExactly(mask);
  }

  @Test
  void loadingReplacesTheWholeState() {
    Parameters from = small(1);
    Tensors.jitter(from, 3, 1);
    Tensors.get(from.buffers(), "b.order").copy_(BACKEND.longs(new long[] {0, 1}, 2));
    Parameters to = small(2);
    to.load(from.state());
    to.state()
        .forEach((name, tensor) -> assertThat(tensor).isExactly(Tensors.get(from.state(), name)));
  }

  @Test
  void loadingReachesTheNetworks() {
    var net = new Linear(parameters, 2, 1);
    var other = new Parameters(BACKEND, 2);
    var expected = new Linear(other, 2, 1).apply(BACKEND.full(1, 1, 2));
    parameters.load(other.state());
    assertThat(net.apply(BACKEND.full(1, 1, 2))).isExactly(expected);
  }

  @Test
  void allThatDoesNotFitIsReportedAtOnceAndNothingIsLoaded() {
    Parameters to = small(1);
    Tensor before = to.flat().values().clone();
    var state = new TreeMap<>(small(2).state());
    state.remove("b.order");
    state.put("a.weight", BACKEND.zeros(2, 3));
    state.put("c.new", BACKEND.zeros(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> to.load(state))
        .withMessage(
            "parameters do not fit the model: a.weight: expected [3, 2], got [2, 3];"
                + " missing b.order; unexpected c.new");
    assertThat(to.flat().values()).isExactly(before);
  }

  @Test
  void actionsRunWhenAStepIsDone() {
    int[] count = new int[1];
    parameters.in("child").afterStep(() -> count[0]++);
    assertThat(count).containsExactly(0);
    parameters.stepDone();
    parameters.stepDone();
    assertThat(count).containsExactly(2);
  }

  @Test
  void trainingIsATreeWideMode() {
    assertThat(parameters.training()).isFalse();
    parameters.in("child").training(true);
    assertThat(parameters.training()).isTrue();
  }
}
