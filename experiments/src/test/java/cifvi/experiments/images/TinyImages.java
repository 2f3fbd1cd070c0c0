package cifvi.experiments.images;

import cifvi.experiments.data.DataSet;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.models.ImageModel;
import cifvi.posterior.Placement;

/** A data set of bars in ten places, and runs on it that take a moment. */
final class TinyImages {
  private static final int SIDE = 28;

  /** 300 images to train on, 33 to validate. */
  static final ImageData DATA = new ImageData(DataSet.MNIST, bars(333), bars(230));

  private TinyImages() {}

  private static ImageSet bars(int count) {
    byte[] pixels = new byte[count * SIDE * SIDE];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) (i % 10);
      for (int row = 4; row < 24; row++) {
        int at = (i * SIDE + row) * SIDE + 4 + 2 * labels[i];
        pixels[at] = (byte) 255;
        pixels[at + 1] = (byte) (100 + i % 100);
      }
    }
    return new ImageSet(pixels, labels, count, SIDE, SIDE);
  }

  static ImagesSpec spec(ImageModel model, long epochs, int patience, double rate) {
    return ImagesSpec.paper(model, Placement.PAPER, 3)
        .with("epochs", epochs)
        .with("patience", patience)
        .with("learning_rate", rate)
        .with("limit_test", 230)
        .with("importance_samples", 4)
        .with("fixed_binarisation", true)
        .with("clip", Double.POSITIVE_INFINITY)
        .with("engine", "eager");
  }
}
