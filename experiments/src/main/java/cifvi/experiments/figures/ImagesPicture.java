package cifvi.experiments.figures;

import cifvi.distribution.Observation;
import cifvi.experiments.data.Binarisation;
import cifvi.experiments.data.Binarisation.Part;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.images.BinaryImages;
import cifvi.experiments.images.ImagesEvaluation;
import cifvi.target.BernoulliImageModel;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Model;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the figures of one image model show; the noise is the figures' own, so that looking at a run
 * changes nothing in it. Test images are those of the binarisation that all models share.
 *
 * @param latent dimension of z
 */
public record ImagesPicture(Model model, int latent, long seed) {
  /** Test images on the latent map. */
  public static final int MAP_IMAGES = 2000;

  private static final int DRAWS = 4;
  private static final int CHUNK = 250;
  private static final int TRAVERSED = 6;
  private static final int STEPS = 9;

  private static final long PRIOR_NOISE = 0;
  private static final long RECONSTRUCTION_NOISE = 1;
  private static final long MAP_NOISE = 2;
  private static final long TRAVERSAL_NOISE = 3;
  private static final long INTERPOLATION_NOISE = 4;

  /** The mean of x for draws of z from the prior. */
  public List<GreyImage> samples(int count) {
    return decode(rng(PRIOR_NOISE).normals(count, latent));
  }

  /** One image of every class, the one with {@code before} of its class before it. */
  public List<Reconstruction> reconstructions(ImageSet test, int before) {
    int[] chosen = Examples.ofEachClass(test, before);
    List<GreyImage> means = decode(draw(test, chosen, 1, RECONSTRUCTION_NOISE));
    List<GreyImage> inputs = inputs(test, chosen);
    return IntStream.range(0, chosen.length)
        .mapToObj(i -> new Reconstruction(test.labels()[chosen[i]], inputs.get(i), means.get(i)))
        .toList();
  }

  /** Draws for the first {@link #MAP_IMAGES} images. */
  public LatentDraws draws(ImageSet test) {
    int[] images = BinaryImages.first(Math.min(MAP_IMAGES, test.count()));
    return new LatentDraws(DRAWS, latent, draw(test, images, DRAWS, MAP_NOISE));
  }

  /** The coordinates whose posterior mean varies most, moved for the first image. */
  public Traversal traversal(ImageSet test, LatentDraws draws) {
    int[] image = {0};
    double[] z = draw(test, image, 1, TRAVERSAL_NOISE);
    List<Traversal.Row> rows =
        draws.mostVaried().stream()
            .limit(TRAVERSED)
            .map(coordinate -> new Traversal.Row(coordinate, traverse(z, coordinate)))
            .toList();
    return new Traversal(test.labels()[0], rows);
  }

  private List<GreyImage> traverse(double[] z, int coordinate) {
    double[] moved = new double[Traversal.QUANTILES.size() * latent];
    for (int i = 0; i < Traversal.QUANTILES.size(); i++) {
      System.arraycopy(z, 0, moved, i * latent, latent);
      moved[i * latent + coordinate] = Traversal.QUANTILES.get(i);
    }
    return decode(moved);
  }

  /** From an image of each even class to one of the class after it. */
  public List<Interpolation> interpolations(ImageSet test) {
    int[] chosen = Examples.ofEachClass(test, 0);
    List<GreyImage> inputs = inputs(test, chosen);
    double[] z = draw(test, chosen, 1, INTERPOLATION_NOISE);
    return IntStream.range(0, chosen.length / 2)
        .map(pair -> 2 * pair)
        .mapToObj(i -> new Interpolation(inputs.get(i), between(z, i), inputs.get(i + 1)))
        .toList();
  }

  /** From row {@code from} of z to the next. */
  private List<GreyImage> between(double[] z, int from) {
    double[] way = new double[STEPS * latent];
    Arrays.setAll(
        way,
        i -> {
          int step = i / latent;
          double t = step / (STEPS - 1.0);
          int coordinate = from * latent + i % latent;
          return (1 - t) * z[coordinate] + t * z[coordinate + latent];
        });
    return decode(way);
  }

  private List<GreyImage> inputs(ImageSet test, int[] rows) {
    return Look.at(
        model,
        () -> {
          try (BinaryImages images = binary(test, rows)) {
            return GreyImage.of(((Observation.Batch) images.draw(0, 0, rows.length)).x());
          }
        });
  }

  /** Posterior draws, {@code [rows, draws, latent]}. */
  private double[] draw(ImageSet test, int[] rows, int draws, long noise) {
    double[] all = new double[rows.length * draws * latent];
    try (BinaryImages images = binary(test, rows)) {
      for (int from = 0; from < rows.length; from += CHUNK) {
        int first = from;
        int count = Math.min(CHUNK, rows.length - from);
        double[] z =
            Look.at(
                model,
                () ->
                    Backend.doubles(
                        model
                            .posterior()
                            .sample(
                                images.draw(0, first, count).repeat(draws),
                                rng(noise).fromRow((long) first * draws))
                            .z()));
        System.arraycopy(z, 0, all, from * draws * latent, z.length);
      }
    }
    return all;
  }

  /** The mean of x given each row of z. */
  private List<GreyImage> decode(double[] z) {
    var decoder = ((BernoulliImageModel) model.target()).decoder();
    return Look.at(
        model,
        () ->
            GreyImage.of(decoder.apply(backend().tensor(z, z.length / latent, latent)).sigmoid()));
  }

  private BinaryImages binary(ImageSet test, int[] rows) {
    var binarisation = new Binarisation(test, ImagesEvaluation.FIXED_SEED, Part.TEST);
    return new BinaryImages(backend(), binarisation, rows);
  }

  private CounterRng rng(long noise) {
    return new CounterRng(backend(), seed, Purpose.FIGURE).step(noise);
  }

  private Backend backend() {
    return model.parameters().backend();
  }
}
