package cifvi.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.data.ImageSet;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.nn.Images;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the figures of an image model show, on images made up: a class is a white row. */
class ImagesPictureTest {
  private static final int CLASSES = 10;

  private static ImageSet images(int count) {
    byte[] pixels = new byte[count * Images.PIXELS];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) (i / 2 % CLASSES);
      int from = i * Images.PIXELS + 2 * labels[i] * Images.SIDE;
      Arrays.fill(pixels, from, from + Images.SIDE, (byte) 255);
    }
    return new ImageSet(pixels, labels, count, Images.SIDE, Images.SIDE);
  }

  private static Model model(ImageModel model) {
    return model.build(
        Backend.cpu(Precision.FLOAT32),
        1,
        Decoder.SMALL,
        Placement.PAPER,
        ImageModel.Nets.RELEASED);
  }

  private static ImagesPicture picture(Model model) {
    return new ImagesPicture(model, Decoder.SMALL.latent(), 1);
  }

  private static double[] values(GreyImage image) {
    return IntStream.range(0, Images.PIXELS)
        .mapToDouble(i -> image.at(i % Images.SIDE, i / Images.SIDE))
        .toArray();
  }

  private static void assertSame(List<GreyImage> a, List<GreyImage> b) {
    assertThat(a).hasSameSizeAs(b);
    for (int i = 0; i < a.size(); i++) {
      assertThat(values(a.get(i))).isEqualTo(values(b.get(i)));
    }
  }

  @Test
  void examplesAreTheFirstOfEachClass() {
    ImageSet images = images(31);
    assertThat(Examples.ofEachClass(images, 0)).containsExactly(0, 2, 4, 6, 8, 10, 12, 14, 16, 18);
    assertThat(Examples.ofEachClass(images, 1)).startsWith(1, 3, 5).hasSize(CLASSES);
    assertThat(Examples.ofEachClass(images, 3)).containsExactly(21, 23, 25, 27, 29);
  }

  @Test
  void samplesAreProbabilitiesAndTheSameEveryTime() {
    try (Model model = model(ImageModel.VAE)) {
      List<GreyImage> samples = picture(model).samples(12);
      assertThat(samples).hasSize(12);
      assertThat(Arrays.stream(values(samples.getFirst())).boxed()).allMatch(p -> p > 0 && p < 1);
      assertThat(values(samples.get(0))).isNotEqualTo(values(samples.get(1)));
      assertSame(samples, picture(model).samples(12));
    }
  }

  @Test
  void reconstructionsShowTheirInput() {
    try (Model model = model(ImageModel.CIF_MAF)) {
      List<Reconstruction> all = picture(model).reconstructions(images(40), 1);
      assertThat(all)
          .extracting(Reconstruction::label)
          .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
      GreyImage three = all.get(3).input();
      assertThat(three.at(0, 6)).isEqualTo(1);
      assertThat(Arrays.stream(values(three)).sum()).isEqualTo(Images.SIDE);
      assertThat(all.get(3).mean().height()).isEqualTo(Images.SIDE);
    }
  }

  @Test
  void drawsBelongToTheImageWhateverElseIsDrawn() {
    try (Model model = model(ImageModel.NSF_SMALL)) {
      LatentDraws many = picture(model).draws(images(260));
      LatentDraws fewer = picture(model).draws(images(251));
      assertThat(many.images()).isEqualTo(260);
      for (int image : new int[] {0, 249, 250}) {
        assertThat(many.z(image))
            .usingComparatorWithPrecision(1e-5)
            .containsExactly(fewer.z(image));
      }
    }
  }

  @Test
  void equalImagesHaveDrawsOfTheirOwn() {
    try (Model model = model(ImageModel.VAE)) {
      var black = new ImageSet(new byte[251 * Images.PIXELS], new byte[251], 251, 28, 28);
      LatentDraws draws = picture(model).draws(black);
      assertThat(distance(draws.z(250), draws.z(0))).isGreaterThan(0.1);
    }
  }

  @Test
  void traversalMovesOneCoordinate() {
    try (Model model = model(ImageModel.VAE)) {
      ImageSet images = images(30);
      LatentDraws draws = picture(model).draws(images);
      Traversal traversal = picture(model).traversal(images, draws);
      assertThat(traversal.rows())
          .extracting(Traversal.Row::coordinate)
          .containsExactlyElementsOf(draws.mostVaried().subList(0, 6));
      for (Traversal.Row row : traversal.rows()) {
        assertThat(row.means()).hasSameSizeAs(Traversal.PERCENTS);
        assertThat(values(row.means().getFirst())).isNotEqualTo(values(row.means().getLast()));
      }
    }
  }

  @Test
  void interpolationsLeadFromOneClassToTheNext() {
    try (Model model = model(ImageModel.VAE)) {
      List<Interpolation> ways = picture(model).interpolations(images(20));
      assertThat(ways).hasSize(CLASSES / 2);
      Interpolation second = ways.get(1);
      assertThat(second.from().at(0, 4)).isEqualTo(1);
      assertThat(second.to().at(0, 6)).isEqualTo(1);
      double[] first = values(second.means().getFirst());
      double[] last = values(second.means().getLast());
      double[] middle = values(second.means().get(second.means().size() / 2));
      assertThat(distance(first, middle)).isLessThan(distance(first, last));
      assertThat(distance(last, middle)).isLessThan(distance(first, last));
    }
  }

  private static double distance(double[] a, double[] b) {
    return Math.sqrt(
        IntStream.range(0, a.length).mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i])).sum());
  }

  @Test
  void mapHasALabelForEveryPoint() {
    try (Model model = model(ImageModel.VAE)) {
      ImageSet images = images(50);
      LatentMap map = LatentMap.of(picture(model).draws(images), images);
      assertThat(map.points().count()).isEqualTo(50);
      assertThat(map.labels()).startsWith(0, 0, 1, 1, 2, 2).hasSize(50);
      assertThat(map.share()).isBetween(2.0 / 20, 1.0);
      assertThat(map.points().inside(map.frame())).isGreaterThanOrEqualTo(48);
    }
  }
}
