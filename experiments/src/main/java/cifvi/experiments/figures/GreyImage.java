package cifvi.experiments.figures;

import cifvi.tensor.Backend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** A grey image, 0 being black and 1 white. */
public final class GreyImage {
  private final int width;
  private final double[] values;

  /**
   * Takes the values as they are.
   *
   * @param values row-major, the first row at the top
   */
  public GreyImage(int width, double[] values) {
    if (width < 1 || values.length == 0 || values.length % width != 0) {
      throw new IllegalArgumentException(
          "values: expected whole rows of " + width + ", got " + values.length);
    }
    this.width = width;
    this.values = values;
  }

  /** The images of a tensor {@code [n, 1, height, width]}. */
  static List<GreyImage> of(Tensor images) {
    int width = (int) images.size(3);
    int size = width * (int) images.size(2);
    double[] all = Backend.doubles(images);
    var list = new ArrayList<GreyImage>();
    for (int from = 0; from < all.length; from += size) {
      list.add(new GreyImage(width, Arrays.copyOfRange(all, from, from + size)));
    }
    return list;
  }

  public int width() {
    return width;
  }

  public int height() {
    return values.length / width;
  }

  public double at(int column, int row) {
    return values[row * width + column];
  }
}
