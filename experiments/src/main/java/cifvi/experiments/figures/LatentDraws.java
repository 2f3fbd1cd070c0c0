package cifvi.experiments.figures;

import cifvi.vi.Moments;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Some posterior draws of z for each of some images. */
public final class LatentDraws {
  /** From here on a coordinate counts as used (Burda, Grosse and Salakhutdinov, 2016). */
  private static final double USED = 0.01;

  private final int draws;
  private final int dimensions;
  private final double[] values;

  /**
   * Takes the values as they are.
   *
   * @param values {@code [images, draws, dimensions]}
   */
  LatentDraws(int draws, int dimensions, double[] values) {
    if (draws < 2 || values.length % (draws * dimensions) != 0) {
      throw new IllegalArgumentException(
          "values: expected at least 2 draws of %d numbers an image, got %d with %d draws"
              .formatted(dimensions, values.length, draws));
    }
    this.draws = draws;
    this.dimensions = dimensions;
    this.values = values;
  }

  public int images() {
    return values.length / (draws * dimensions);
  }

  public int dimensions() {
    return dimensions;
  }

  /** The first draw of an image. */
  double[] z(int image) {
    int from = image * draws * dimensions;
    return Arrays.copyOfRange(values, from, from + dimensions);
  }

  /**
   * The variance over images of the posterior mean of a coordinate: about 1 where the coordinate
   * tells images apart, 0 where the posterior leaves it as the prior has it. The mean of a few
   * draws varies by itself, too; that part is taken off.
   */
  double meanVariance(int dimension) {
    var means = new Moments();
    var noise = new Moments();
    for (int image = 0; image < images(); image++) {
      var ofImage = new Moments();
      for (int draw = 0; draw < draws; draw++) {
        ofImage.add(values[(image * draws + draw) * dimensions + dimension]);
      }
      means.add(ofImage.mean());
      double error = ofImage.estimate().standardError();
      noise.add(error * error);
    }
    double deviation = means.populationStd();
    return deviation * deviation - noise.mean();
  }

  /** The coordinates, those first whose posterior mean varies most. */
  List<Integer> mostVaried() {
    double[] variances = IntStream.range(0, dimensions).mapToDouble(this::meanVariance).toArray();
    return IntStream.range(0, dimensions)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> -variances[i]))
        .toList();
  }

  /** How many coordinates the posterior uses. */
  public int used() {
    return (int) IntStream.range(0, dimensions).filter(i -> meanVariance(i) > USED).count();
  }
}
