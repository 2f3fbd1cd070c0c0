package cifvi.experiments.golden;

import cifvi.tensor.Backend;
import cifvi.tensor.Shapes;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;
import tools.jackson.databind.JsonNode;

/**
 * A tensor as a file holds it: {@code {"shape": [...], "data": [...]}}, row-major; a bare number
 * has shape [].
 */
final class Numbers {
  /**
   * Several times what models of the paper have: sizes decide on memory before they are checked.
   */
  private static final int MOST_WIDTH = 2048;

  private final String key;
  private final long[] shape;
  private final double[] data;

  private Numbers(String key, long[] shape, double[] data) {
    this.key = key;
    this.shape = shape;
    this.data = data;
  }

  static Numbers read(String key, JsonNode node) {
    if (node.isNumber()) {
      return new Numbers(key, new long[0], new double[] {node.asDouble()});
    }
    JsonNode shapeNode = node.path("shape");
    JsonNode dataNode = node.path("data");
    if (!shapeNode.isArray() || !dataNode.isArray()) {
      throw new IllegalArgumentException(
          key + ": expected a number or a tensor with shape and data");
    }
    if (!shapeNode
        .valueStream()
        .allMatch(axis -> axis.isIntegralNumber() && axis.canConvertToInt())) {
      throw new IllegalArgumentException(key + ": the shape must be whole numbers below 2^31");
    }
    long[] shape = shapeNode.valueStream().mapToLong(JsonNode::asLong).toArray();
    if (!dataNode.valueStream().allMatch(JsonNode::isNumber)) {
      throw new IllegalArgumentException(key + ": the data must be numbers");
    }
    double[] data = dataNode.valueStream().mapToDouble(JsonNode::asDouble).toArray();
    if (!fits(shape, data.length)) {
      throw new IllegalArgumentException(
          key + ": shape " + Arrays.toString(shape) + " does not fit " + data.length + " numbers");
    }
    return new Numbers(key, shape, data);
  }

  /** Whether every axis has an entry, and all of them as many numbers as there are. */
  private static boolean fits(long[] shape, int count) {
    long product = 1;
    for (long axis : shape) {
      product *= axis;
      if (axis < 1 || product > count) {
        return false;
      }
    }
    return product == count;
  }

  long[] shape() {
    return shape.clone();
  }

  /** Length of axis {@code i}, as the size of a network. */
  int size(int i) {
    if (i >= shape.length || shape[i] > MOST_WIDTH) {
      throw new IllegalArgumentException(
          "%s: expected sizes up to %d, got %s".formatted(key, MOST_WIDTH, Shapes.text(shape)));
    }
    return Math.toIntExact(shape[i]);
  }

  double[] data() {
    return data;
  }

  long[] longs() {
    long[] longs = new long[data.length];
    for (int i = 0; i < data.length; i++) {
      longs[i] = (long) data[i];
    }
    return longs;
  }

  Tensor on(Backend backend) {
    return backend.tensor(data, shape);
  }
}
