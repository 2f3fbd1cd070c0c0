package cifvi.parameter;

import java.util.Arrays;
import java.util.List;

/**
 * A view of one parameter in an array of numbers: a scalar, a vector, a matrix, or an array of
 * them. Indices begin at 0, those of an array come first; L.2.1 of a Stan file is {@code get(1,
 * 0)}.
 */
public final class Value {
  private final double[] numbers;
  private final int at;
  private final int[] dimensions;
  private final int[] strides;

  private Value(double[] numbers, int at, int[] dimensions, int[] strides) {
    this.numbers = numbers;
    this.at = at;
    this.dimensions = dimensions;
    this.strides = strides;
  }

  /** First index fastest. */
  static Value of(double[] numbers, int at, List<Integer> sizes) {
    int[] dimensions = sizes.stream().mapToInt(Integer::intValue).toArray();
    var strides = new int[dimensions.length];
    int stride = 1;
    for (int k = 0; k < strides.length; k++) {
      strides[k] = stride;
      stride *= dimensions[k];
    }
    return new Value(numbers, at, dimensions, strides);
  }

  /** The length of every index; none for a scalar. */
  public List<Integer> dimensions() {
    return Arrays.stream(dimensions).boxed().toList();
  }

  /** How many numbers there are. */
  public int size() {
    int size = 1;
    for (int length : dimensions) {
      size *= length;
    }
    return size;
  }

  public double get() {
    return numbers[place()];
  }

  public double get(int i) {
    return numbers[place(i)];
  }

  public double get(int i, int j) {
    return numbers[place(i, j)];
  }

  public void set(double value) {
    numbers[place()] = value;
  }

  public void set(int i, double value) {
    numbers[place(i)] = value;
  }

  public void set(int i, int j, double value) {
    numbers[place(i, j)] = value;
  }

  /** Adds to the number of a scalar, as gradients are summed. */
  public void add(double value) {
    numbers[place()] += value;
  }

  public void add(int i, double value) {
    numbers[place(i)] += value;
  }

  public void add(int i, int j, double value) {
    numbers[place(i, j)] += value;
  }

  /** The part with this first index: an element of an array, a number of a vector, a row. */
  public Value element(int i) {
    if (dimensions.length == 0) {
      throw indices(1);
    }
    int rank = dimensions.length;
    return new Value(
        numbers,
        at + checked(i, 0) * strides[0],
        Arrays.copyOfRange(dimensions, 1, rank),
        Arrays.copyOfRange(strides, 1, rank));
  }

  /** A copy of all numbers, first index fastest. */
  public double[] toArray() {
    var copy = new double[size()];
    for (int k = 0; k < copy.length; k++) {
      int rest = k;
      int place = at;
      for (int d = 0; d < dimensions.length; d++) {
        place += rest % dimensions[d] * strides[d];
        rest /= dimensions[d];
      }
      copy[k] = numbers[place];
    }
    return copy;
  }

  private int place() {
    if (dimensions.length != 0) {
      throw indices(0);
    }
    return at;
  }

  private int place(int i) {
    if (dimensions.length != 1) {
      throw indices(1);
    }
    return at + checked(i, 0) * strides[0];
  }

  private int place(int i, int j) {
    if (dimensions.length != 2) {
      throw indices(2);
    }
    return at + checked(i, 0) * strides[0] + checked(j, 1) * strides[1];
  }

  private int checked(int i, int index) {
    if (i < 0 || i >= dimensions[index]) {
      throw new IndexOutOfBoundsException(
          "index %d is %d of %s; indices begin at 0"
              .formatted(index + 1, i, Arrays.toString(dimensions)));
    }
    return i;
  }

  private IllegalArgumentException indices(int given) {
    return new IllegalArgumentException(
        "expected %d indices for the dimensions %s, got %d"
            .formatted(dimensions.length, Arrays.toString(dimensions), given));
  }
}
