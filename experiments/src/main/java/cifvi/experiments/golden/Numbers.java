package cifvi.experiments.golden;

import cifvi.tensor.Backend;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;
import tools.jackson.databind.JsonNode;

/**
 * A tensor as a file holds it: {@code {"shape": [...], "data": [...]}}, row-major; a bare number
 * has shape [].
 */
final class Numbers {
  private final long[] shape;
  private final double[] data;

  private Numbers(long[] shape, double[] data) {
    this.shape = shape;
    this.data = data;
  }

  static Numbers read(String key, JsonNode node) {
    if (node.isNumber()) {
      return new Numbers(new long[0], new double[] {node.asDouble()});
    }
    JsonNode shapeNode = node.path("shape");
    JsonNode dataNode = node.path("data");
    if (!shapeNode.isArray() || !dataNode.isArray()) {
      throw new IllegalArgumentException(
          key + ": expected a number or a tensor with shape and data");
    }
    long[] shape = shapeNode.valueStream().mapToLong(JsonNode::asLong).toArray();
    if (!dataNode.valueStream().allMatch(JsonNode::isNumber)) {
      throw new IllegalArgumentException(key + ": the data must be numbers");
    }
    double[] data = dataNode.valueStream().mapToDouble(JsonNode::asDouble).toArray();
    if (Shapes.count(shape) != data.length) {
      throw new IllegalArgumentException(
          key + ": shape " + Shapes.text(shape) + " does not fit " + data.length + " numbers");
    }
    return new Numbers(shape, data);
  }

  long[] shape() {
    return shape.clone();
  }

  /** Length of axis {@code i}. */
  int size(int i) {
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
