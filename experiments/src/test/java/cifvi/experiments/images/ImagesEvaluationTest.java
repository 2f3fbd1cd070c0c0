package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.ImageModel;
import cifvi.nn.Images;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Rng;
import cifvi.tensor.Torch;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which binary pictures a test likelihood is about, seen by log-weights that know nothing but the
 * picture: no noise of z can make two evaluations differ.
 */
class ImagesEvaluationTest {
  @TempDir Path folder;

  private int files;

  @Test
  void theFixedBinarisationIsTheSameForAllSeedsAndRepeats() {
    List<ImageRow> fixed = rows(TestBinarisation.FIXED, 3, 0);
    assertThat(rows(TestBinarisation.FIXED, 3, 1)).isEqualTo(fixed);
    assertThat(rows(TestBinarisation.FIXED, 4, 0)).isEqualTo(fixed);
  }

  @Test
  void aFreshBinarisationIsOneOfItsSeedAndRepeat() {
    List<ImageRow> fresh = rows(TestBinarisation.FRESH, 3, 0);
    assertThat(rows(TestBinarisation.FRESH, 3, 0)).isEqualTo(fresh);
    assertThat(rows(TestBinarisation.FIXED, 3, 0)).isNotEqualTo(fresh);
    assertThat(rows(TestBinarisation.FRESH, 3, 1)).isNotEqualTo(fresh);
    assertThat(rows(TestBinarisation.FRESH, 4, 0)).isNotEqualTo(fresh);
    // also where the seed of the run is that of the fixed one
    assertThat(rows(TestBinarisation.FRESH, ImagesEvaluation.FIXED_SEED, 0))
        .isNotEqualTo(rows(TestBinarisation.FIXED, 3, 0));
  }

  private List<ImageRow> rows(TestBinarisation binarisation, long seed, int repeat) {
    Torch.load();
    var spec = TinyImages.spec(ImageModel.VAE, 1, 1, 1e-3);
    try (Model model = spec.build(Backend.cpu(Precision.FLOAT32))) {
      return new ImagesEvaluation(model, new OfPicture(), seed)
          .logLikelihoods(
              TinyImages.DATA.test(),
              20,
              binarisation,
              2,
              repeat,
              folder.resolve(files++ + ".csv"),
              Progress.SILENT);
    }
  }

  /** Σ j x_j over the pixels of a row, whatever the noise. */
  private static final class OfPicture implements LogWeights {
    @Override
    public Draws draw(Observation x, long times, Rng rng) {
      int draws = Math.toIntExact(x.rows() * times);
      double[] pixels = pixels(x);
      double[] sums = new double[draws];
      for (int i = 0; i < draws; i++) {
        int row = i / Math.toIntExact(times);
        for (int j = 0; j < Images.PIXELS; j++) {
          sums[i] += j * pixels[row * Images.PIXELS + j];
        }
      }
      return new Draws(new double[draws], new double[draws], sums);
    }

    private static double[] pixels(Observation x) {
      if (x instanceof Observation.Batch(Tensor images)) {
        return Backend.doubles(images);
      }
      throw new IllegalArgumentException("x: expected images");
    }

    @Override
    public double[] backward(double[] z, Observation x, long paths, Rng rng) {
      throw new IllegalStateException("no likelihood goes back from z");
    }

    @Override
    public boolean explicit() {
      return true;
    }
  }
}
