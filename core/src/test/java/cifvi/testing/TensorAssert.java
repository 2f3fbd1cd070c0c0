package cifvi.testing;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Shapes;
import java.util.Arrays;
import org.assertj.core.api.AbstractAssert;
import org.bytedeco.pytorch.Tensor;

/** What tests say about tensors. */
public final class TensorAssert extends AbstractAssert<TensorAssert, Tensor> {
  private TensorAssert(Tensor actual) {
    super(actual, TensorAssert.class);
  }

  public static TensorAssert assertThat(Tensor actual) {
    return new TensorAssert(actual);
  }

  public TensorAssert hasShape(long... shape) {
    if (!Arrays.equals(actual.shape(), shape)) {
      failWithMessage("expected shape %s, got %s", Shapes.text(shape), Shapes.text(actual.shape()));
    }
    return this;
  }

  public TensorAssert hasPrecision(Precision precision) {
    if (Precision.of(actual) != precision) {
      failWithMessage("expected %s, got %s", precision, Precision.of(actual));
    }
    return this;
  }

  public TensorAssert isFinite() {
    double[] values = values();
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        failWithMessage("element %d is %s", i, values[i]);
      }
    }
    return this;
  }

  /** Same shape, and |a - b| ≤ tolerance · max(1, |b|) for every element. */
  public TensorAssert isCloseTo(Tensor expected, double tolerance) {
    hasShape(expected.shape());
    double[] a = values();
    double[] b = Backend.doubles(expected);
    for (int i = 0; i < a.length; i++) {
      // written so that NaN fails
      if (!(Math.abs(a[i] - b[i]) <= tolerance * Math.max(1, Math.abs(b[i])))) {
        failWithMessage("element %d: expected %s within %s, got %s", i, b[i], tolerance, a[i]);
      }
    }
    return this;
  }

  /** Same shape and the same numbers to the last digit. */
  public TensorAssert isExactly(Tensor expected) {
    return isCloseTo(expected, 0);
  }

  public TensorAssert isAllZero() {
    return isExactly(actual.new_zeros(actual.shape()));
  }

  public TensorAssert hasNoZero() {
    double[] values = values();
    for (int i = 0; i < values.length; i++) {
      if (values[i] == 0) {
        failWithMessage("element %d of %s is 0", i, Shapes.text(actual.shape()));
      }
    }
    return this;
  }

  private double[] values() {
    isNotNull();
    return Backend.doubles(actual);
  }
}
