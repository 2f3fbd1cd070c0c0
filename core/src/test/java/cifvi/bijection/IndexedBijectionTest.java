package cifvi.bijection;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.testing.Tensors;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G(w; u) of eq. 6 with an index of its own for every row. */
@ExtendWith(NativeScope.class)
class IndexedBijectionTest {
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final double TOLERANCE = 1e-14;

  private final Parameters parameters = new Parameters(FLOAT64, 3);
  private final Mlp st = new Mlp(parameters.in("st"), 1, 6, 4);
  private final Tensor w = Tensors.normal(FLOAT64, 1, 7, 2);
  private final Tensor u = Tensors.normal(FLOAT64, 2, 7, 1);

  @Test
  void shiftsComeFirstThenLogScales() {
    Tensor ts = st.apply(u);
    Tensor t = ts.narrow(1, 0, 2);
    Tensor s = ts.narrow(1, 2, 2);
    Mapped z = new IndexedBijection(new Flip(), st).at(u).forward(w);
    assertThat(z.value()).isCloseTo(s.exp().mul(w.flip(1).add(t)), TOLERANCE);
    assertThat(z.logDet()).isCloseTo(s.sum(1), TOLERANCE);
  }

  @Test
  void everyRowHasItsOwnIndex() {
    var g = new IndexedBijection(new Flip(), st);
    Tensor batch = g.at(u).forward(w).value();
    for (long row = 0; row < 7; row++) {
      Tensor single = g.at(u.narrow(0, row, 1)).forward(w.narrow(0, row, 1)).value();
      assertThat(single).isCloseTo(batch.narrow(0, row, 1), TOLERANCE);
    }
  }

  @Test
  void aGradientReachesTheIndex() {
    Tensor leaf = Tensors.leaf(u);
    Mapped z = new IndexedBijection(new Flip(), st).at(leaf).forward(w);
    z.value().sum().add(z.logDet().sum()).backward();
    assertThat(leaf.grad()).isFinite().hasNoZero();
  }

  @Test
  void aroundTheIdentityItIsTheAffineAlone() {
    assertThat(new IndexedBijection(Chain.of(), st).at(u)).isInstanceOf(Affine.class);
  }

  @Test
  void anotherNumberOfRowsIsNamed() {
    Bijection g = new IndexedBijection(Chain.IDENTITY, st).at(u);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> g.forward(w.narrow(0, 0, 5)))
        .withMessage("w: expected [7, 2], got [5, 2]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> g.inverse(w.narrow(0, 0, 1)))
        .withMessage("z: expected [7, 2], got [1, 2]");
  }

  @Test
  void anOddNumberOfOutputsIsRefused() {
    var odd = new IndexedBijection(Chain.IDENTITY, new Mlp(parameters.in("odd"), 1, 5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> odd.at(u))
        .withMessageStartingWith("st: expected as many log-scales as shifts")
        .withMessageEndingWith("5");
  }
}
