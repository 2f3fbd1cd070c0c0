package cifvi.experiments.figures;

import cifvi.experiments.data.ImageSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Posterior draws of z, one an image, in the plane of their first two principal components.
 *
 * @param labels the class of each image
 * @param share of the variance of z that lies in this plane
 */
public record LatentMap(Points points, List<Integer> labels, double share) {
  /** Of the first images of a set. */
  public static LatentMap of(LatentDraws draws, ImageSet images) {
    double[][] z = IntStream.range(0, draws.images()).mapToObj(draws::z).toArray(double[][]::new);
    Pca pca = Pca.of(z);
    return new LatentMap(
        pca.plane(z),
        IntStream.range(0, z.length).mapToObj(i -> (int) images.labels()[i]).toList(),
        pca.planeShare());
  }

  /** A square around 0 that holds nearly all points. */
  public Frame frame() {
    return new Frame(1.15 * points.reach(0.995));
  }
}
