package cifvi.parameter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Numbers by name and index, and what that costs. */
class ValuesTest {
  private static final int CALLS = 2000;

  private final ParameterSpace space =
      ParameterSpace.of(
          Parameter.positive("tau"),
          Parameter.real("theta").vector(3),
          Parameter.correlationCholesky("L", 2),
          Parameter.simplex("pi", 2).array(3, 2));

  private final double[] x = new double[space.constrainedSize()];
  private final Values values = space.values(x);

  ValuesTest() {
    Arrays.setAll(x, i -> i);
  }

  /** The number of the column that Stan calls so is its own index here. */
  private double column(String name) {
    return space.names().indexOf(name);
  }

  @Test
  void indicesAreThoseOfTheColumnsLessOne() {
    assertThat(values.scalar("tau")).isEqualTo(column("tau"));
    assertThat(values.of("theta").get(2)).isEqualTo(column("theta.3"));
    assertThat(values.of("L").get(1, 0)).isEqualTo(column("L.2.1"));
    assertThat(values.of("pi").element(2).get(0, 1)).isEqualTo(column("pi.3.1.2"));
    assertThat(values.of("pi").element(1).element(1).get(0)).isEqualTo(column("pi.2.2.1"));
    assertThat(values.of("theta").element(1).get()).isEqualTo(column("theta.2"));
  }

  @Test
  void aViewSeesWhatTheArrayHoldsAndWritesIt() {
    Value theta = values.of("theta");
    x[2] = 40;
    assertThat(theta.get(1)).isEqualTo(40);
    theta.set(1, 50);
    theta.add(1, 1);
    assertThat(x[2]).isEqualTo(51);
    values.of("tau").set(3);
    values.of("tau").add(0.5);
    values.of("L").set(0, 1, 7);
    values.of("L").add(0, 1, 1);
    assertThat(x[0]).isEqualTo(3.5);
    assertThat(x[(int) column("L.1.2")]).isEqualTo(8);
  }

  @Test
  void aCopyHasTheOrderOfTheColumns() {
    assertThat(values.of("L").toArray()).containsExactly(4, 5, 6, 7);
    assertThat(values.of("pi").element(2).toArray())
        .containsExactly(
            column("pi.3.1.1"), column("pi.3.2.1"), column("pi.3.1.2"), column("pi.3.2.2"));
    assertThat(values.of("pi").dimensions()).containsExactly(3, 2, 2);
    assertThat(values.of("tau").size()).isEqualTo(1);
  }

  @Test
  void mistakesAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> values.of("thet"))
        .withMessage("no parameter is named \"thet\"; there are L, pi, tau, theta");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> values.scalar("theta"))
        .withMessage("expected 1 indices for the dimensions [3], got 0");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> values.of("theta").get(3))
        .withMessage("index 1 is 3 of [3]; indices begin at 0");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> values.of("L").get(0, -1))
        .withMessage("index 2 is -1 of [2, 2]; indices begin at 0");
  }

  /** A density's whole call: to x, reading and writing by name, and the gradient back. */
  @Test
  void aCallMakesNoObject() {
    var gradient = new double[x.length];
    var y = new double[space.unconstrainedSize()];
    var yGradient = new double[y.length];
    Values gradients = space.values(gradient);
    Runnable call =
        () -> {
          space.constrain(y, x);
          gradients.of("tau").set(-1 / values.scalar("tau"));
          gradients.of("theta").add(1, values.of("theta").get(2));
          gradients.of("L").set(1, 0, values.of("L").get(1, 0));
          space.addGradient(y, x, gradient, yGradient);
        };
    call.run();
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(CALLS);
  }
}
