package cifvi.parameter;

import static cifvi.parameter.TorchTransforms.FLOAT64;

import cifvi.tensor.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/** Every kind of parameter in sizes 1 to 5, as vectors, matrices and arrays. */
final class ParameterCases {
  private ParameterCases() {}

  /**
   * A parameter with its transform in libtorch operations.
   *
   * @param transform of one value: {@code [rows, unconstrained]} to {@code [rows, dimensions]}
   * @param free which coordinates of one value determine it, row by row: 1 for those, else 0
   */
  record Case(Parameter parameter, UnaryOperator<Tensor> transform, List<Double> free) {
    @Override
    public String toString() {
      return parameter.toString();
    }

    boolean unitVector() {
      return parameter.constraint() instanceof UnitVector;
    }

    Case with(Parameter other) {
      return new Case(other, transform, free);
    }

    /** All of x for {@code [batch, unconstrained]} numbers y, in the order of Stan's columns. */
    Tensor reference(Tensor y) {
      long width = parameter.constraint().unconstrained();
      return columns(transform.apply(y.reshape(y.size(0) * values(), width)), y.size(0));
    }

    /** The columns that determine x. */
    int[] freeColumns() {
      Tensor one =
          FLOAT64.tensor(free.stream().mapToDouble(Double::doubleValue).toArray(), 1, free.size());
      Tensor all = columns(one.expand(values(), free.size()), 1);
      double[] marks = Backend.doubles(all);
      return IntStream.range(0, marks.length).filter(i -> marks[i] == 1).toArray();
    }

    private long values() {
      return Sizes.product(parameter.dimensions())
          / Sizes.product(parameter.constraint().dimensions());
    }

    /**
     * From values one after another, as y has them, to columns with the first index fastest. A
     * matrix of scalars lies in y column by column, so its indices are exchanged first.
     */
    private Tensor columns(Tensor values, long batch) {
      List<Integer> dimensions = parameter.dimensions();
      int rank = dimensions.size();
      boolean swap =
          parameter.constraint() instanceof ScalarConstraint
              && rank - parameter.arrayDimensions().size() == 2;
      var shape = new ArrayList<Long>(List.of(batch));
      dimensions.forEach(size -> shape.add((long) size));
      if (swap) {
        shape.add(rank - 1, shape.removeLast());
      }
      Tensor natural = values.reshape(shape.stream().mapToLong(Long::longValue).toArray());
      if (swap) {
        natural = natural.transpose(rank - 1, rank);
      }
      long[] reversed = new long[rank + 1];
      for (int i = 1; i <= rank; i++) {
        reversed[i] = rank + 1L - i;
      }
      return natural.permute(reversed).reshape(batch, -1);
    }
  }

  static List<Case> all() {
    var cases = new ArrayList<Case>();
    for (Case scalar : scalars()) {
      cases.add(scalar);
      for (int n = 1; n <= 5; n++) {
        cases.add(scalar.with(scalar.parameter().vector(n)));
      }
      cases.add(scalar.with(scalar.parameter().matrix(2, 3)));
    }
    for (int size = 1; size <= 5; size++) {
      cases.addAll(structured(size));
    }
    cases.add(covariance(3, 1));
    cases.add(covariance(5, 3));
    for (Case one : List.copyOf(cases)) {
      if (Sizes.product(one.parameter().dimensions()) <= 9) {
        cases.add(one.with(one.parameter().array(3)));
        cases.add(one.with(one.parameter().array(2, 3)));
      }
    }
    return cases;
  }

  private static List<Case> scalars() {
    List<Double> all = List.of(1.0);
    return List.of(
        new Case(Parameter.real("a"), y -> y, all),
        new Case(Parameter.positive("b"), y -> TorchTransforms.lower(y, 0), all),
        new Case(Parameter.lower("c", -2.5), y -> TorchTransforms.lower(y, -2.5), all),
        new Case(Parameter.upper("d", 4), y -> TorchTransforms.upper(y, 4), all),
        new Case(Parameter.interval("e", 0, 1), y -> TorchTransforms.interval(y, 0, 1), all),
        new Case(Parameter.interval("f", -3, 7), y -> TorchTransforms.interval(y, -3, 7), all));
  }

  private static List<Case> structured(int n) {
    List<Double> all = free(1, n, (i, j) -> true);
    return List.of(
        new Case(
            Parameter.simplex("g", n),
            y -> TorchTransforms.simplex(y, n),
            free(1, n, (i, j) -> j < n - 1)),
        new Case(Parameter.ordered("h", n), y -> TorchTransforms.ordered(y, false), all),
        new Case(Parameter.positiveOrdered("i", n), y -> TorchTransforms.ordered(y, true), all),
        new Case(Parameter.unitVector("j", n), TorchTransforms::unitVector, all),
        new Case(
            Parameter.correlationCholesky("k", n),
            y -> TorchTransforms.correlationCholesky(y, n),
            free(n, n, (i, j) -> j < i)),
        covariance(n, n));
  }

  private static Case covariance(int rows, int columns) {
    return new Case(
        Parameter.covarianceCholesky("l", rows, columns),
        y -> TorchTransforms.covarianceCholesky(y, rows, columns),
        free(rows, columns, (i, j) -> j <= i));
  }

  private interface Mask {
    boolean at(int row, int column);
  }

  private static List<Double> free(int rows, int columns, Mask mask) {
    return IntStream.range(0, rows * columns)
        .mapToObj(k -> mask.at(k / columns, k % columns) ? 1.0 : 0.0)
        .toList();
  }
}
